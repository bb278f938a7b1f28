import { browserReviewingSpec } from './specs/browserReviewing';
import { bulkSpec } from './specs/bulk';
import { continuingSpec } from './specs/continuing';
import { credentialSpec } from './specs/credential';
import { executionSpec } from './specs/execution';
import { httpRequestSpec } from './specs/httpRequest';
import { limitedSpec } from './specs/limited';
import { longWaitsSpec } from './specs/longWaits';
import { mailSpec } from './specs/mail';
import { newcomerSpec } from './specs/newcomer';
import { notesAloneSpec } from './specs/notes';
import { pausingSpec } from './specs/pausing';
import { pausingExamplesSpec } from './specs/pausingExamples';
import { renewalSpec } from './specs/renewal';
import { restartingSpec } from './specs/restarting';
import { retryingSpec } from './specs/retrying';
import { sharePointSpec } from './specs/sharepoint';
import { stopSpec } from './specs/stop';
import { survivalSpec } from './specs/survival';
import { tablesSpec } from './specs/tables';
import { toolSpec } from './specs/tool';
import { triggerSpec } from './specs/trigger';
import { waitEndsSpec } from './specs/waitEnds';
import { verdictsSpec } from './specs/verdicts';
import { waitingSpec } from './specs/waiting';
import { describeLine, FOR_BURSTS } from './lines';

const FILES_IN_MEMORY = { N8N_DEFAULT_BINARY_DATA_MODE: 'default' };

for (const line of ['n8n-1', 'n8n-2'] as const) {
	describeLine(
		line,
		{
			credential: credentialSpec,
			execution: executionSpec,
			renewal: renewalSpec,
			bulk: bulkSpec,
			httpRequest: httpRequestSpec,
			tool: toolSpec,
			mail: mailSpec,
			// The Microsoft SharePoint node of n8n 1 is an older version.
			...(line === 'n8n-2' ? { sharepoint: sharePointSpec } : {}),
			waiting: waitingSpec,
			stop: stopSpec,
			trigger: triggerSpec,
			pausing: pausingSpec,
			...(line === 'n8n-1'
				? { notes: notesAloneSpec } // n8n 2: n8n-2-browser.test.ts
				: {
						// Some examples need n8n 2.
						pausingExamples: pausingExamplesSpec,
						tables: tablesSpec,
						verdicts: verdictsSpec,
						newcomer: newcomerSpec,
					}),
			browserReviewing: browserReviewingSpec, // last, because it ends n8n
		},
		{ long: true },
	);
	// In an n8n of their own, because they all begin at its start.
	const longWaits = { longWaits: longWaitsSpec, waitEnds: waitEndsSpec };
	describeLine(line, longWaits, { long: true });
	describeLine(line, longWaits, { long: true }, FILES_IN_MEMORY);
	describeLine(
		line,
		{
			survival: survivalSpec,
			restarting: restartingSpec,
			retrying: retryingSpec,
			continuing: continuingSpec,
		},
		{ long: true },
		FOR_BURSTS[line],
	);
	describeLine(line, { limited: limitedSpec }, {}, { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' });
}
