const { basename } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Longest first, so that the workers end at about the same time. Approximate seconds. */
const SECONDS = {
	'n8n-2.test.ts': 600,
	'n8n-1.test.ts': 300,
	'n8n-2-restarts.test.ts': 290,
	'queue.test.ts': 280,
	'n8n-2-browser.test.ts': 240,
	'n8n-2-kills.test.ts': 220,
	'n8n-2-waiting.test.ts': 180,
	'installing.test.ts': 110,
};

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const seconds = ({ path }) => SECONDS[basename(path)] ?? 0;
		return [...tests].sort((a, b) => seconds(b) - seconds(a));
	}
};
