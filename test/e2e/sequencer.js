const { basename } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Longest first, so that the workers end at about the same time. Approximate seconds. */
const SECONDS = {
	'n8n-2-kills.test.ts': 620,
	'n8n-2.test.ts': 600,
	'n8n-1.test.ts': 400,
	'installing.test.ts': 180,
	'queue.test.ts': 180,
	'n8n-2-waiting.test.ts': 170,
	'publishing.test.ts': 150,
};

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const seconds = ({ path }) => SECONDS[basename(path)] ?? 0;
		return [...tests].sort((a, b) => seconds(b) - seconds(a));
	}
};
