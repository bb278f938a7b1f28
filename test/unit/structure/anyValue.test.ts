import { testAnyValue, VALUES } from './anyValue';

describe('Whatever an expression gives', () => testAnyValue(VALUES));
