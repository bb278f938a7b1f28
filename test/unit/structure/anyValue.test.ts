import { LONG_VALUES, testAnyValue, testUnofferedValues, VALUES } from './anyValue';

describe('Whatever an expression gives', () => {
	testAnyValue(VALUES, LONG_VALUES);
	testUnofferedValues();
});
