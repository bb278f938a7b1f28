const { basename } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** These take long, and many-waits measures the memory of a process in which nothing ran before. The others follow in jest's order. */
const FIRST = ['many-waits.test.ts', 'lines.long.test.ts', 'queue.long.test.ts'];

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			const place = FIRST.indexOf(basename(path));
			return place === -1 ? FIRST.length : place;
		};
		return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
	}
};
