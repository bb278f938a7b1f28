import { LONG_TEXTS, testAnyValue } from './anyValue';

describe('Whatever long text an expression gives', () => testAnyValue(LONG_TEXTS));
