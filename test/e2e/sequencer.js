const { basename } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Longest first, so that the workers end at about the same time. Approximate seconds. */
const SECONDS = {
	'n8n-2.test.ts': 650,
	'n8n-1.test.ts': 500,
	'n8n-2-kills.test.ts': 350,
	'n8n-2-restarts.test.ts': 350,
	'n8n-2-browser.test.ts': 250,
	'queue.test.ts': 230,
	'installing.test.ts': 220,
	'publishing.test.ts': 200,
	'n8n-2-waiting.test.ts': 180,
};

module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const seconds = ({ path }) => SECONDS[basename(path)] ?? 0;
		return [...tests].sort((a, b) => seconds(b) - seconds(a));
	}
};
