import { MORE_LONG_VALUES, testAnyValue } from './anyValue';

describe('Whatever long text an expression gives', () => testAnyValue({}, MORE_LONG_VALUES));
