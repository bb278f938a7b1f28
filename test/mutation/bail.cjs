'use strict';

/** One test that fails is enough to notice a mutant, but Stryker runs the others too: https://github.com/jestjs/jest/issues/11766 */
let noticed;

const activeMutant = () => process.env.__STRYKER_ACTIVE_MUTANT__;

module.exports = {
	setNoticed: () => void (noticed = activeMutant()),
	isNoticed: () => activeMutant() !== undefined && noticed === activeMutant(),
};
