const { basename } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Longest first, so that two workers end at about the same time. Approximate seconds. */
const SECONDS = {
	'n8n-2-waiting.test.ts': 330,
	'n8n-2.test.ts': 260,
	'queue.test.ts': 220,
	'n8n-1.test.ts': 150,
	'publishing.test.ts': 80,
	'installing.test.ts': 40,
};

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const seconds = ({ path }) => SECONDS[basename(path)] ?? 0;
		return [...tests].sort((a, b) => seconds(b) - seconds(a));
	}
};
