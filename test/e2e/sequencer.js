const { basename } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Longest first, so that the workers end at about the same time. Approximate seconds. */
const SECONDS = {
	'n8n-2-kills.test.ts': 550,
	'n8n-2.test.ts': 450,
	'n8n-1.test.ts': 320,
	'queue.test.ts': 170,
	'n8n-2-waiting.test.ts': 140,
	'installing.test.ts': 60,
	'publishing.test.ts': 45,
};

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const seconds = ({ path }) => SECONDS[basename(path)] ?? 0;
		return [...tests].sort((a, b) => seconds(b) - seconds(a));
	}
};
