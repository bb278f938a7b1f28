import { LONG_VALUES, testAnyValue, VALUES } from './anyValue';

describe('Whatever an expression gives', () => testAnyValue(VALUES, LONG_VALUES));
