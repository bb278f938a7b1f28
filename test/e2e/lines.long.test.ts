import { brokenAnswersSpec } from './specs/brokenAnswers';
import { bulkSpec } from './specs/bulk';
import { credentialSpec } from './specs/credential';
import { documentsSpec } from './specs/documents';
import { executionSpec } from './specs/execution';
import { httpRequestSpec } from './specs/httpRequest';
import { mailSpec } from './specs/mail';
import { outageSpec } from './specs/outage';
import { pausingSpec } from './specs/pausing';
import { pausingExamplesSpec } from './specs/pausingExamples';
import { renewalSpec } from './specs/renewal';
import { resultsSpec } from './specs/results';
import { sendingSpec } from './specs/sending';
import { sharePointSpec } from './specs/sharepoint';
import { stopSpec } from './specs/stop';
import { survivalSpec } from './specs/survival';
import { timeLimitSpec } from './specs/timeLimit';
import { toolSpec } from './specs/tool';
import { triggerSpec } from './specs/trigger';
import { waitingSpec } from './specs/waiting';
import { describeLine, FOR_BURSTS } from './lines';

for (const line of ['n8n-1', 'n8n-2'] as const) {
	describeLine(
		line,
		{
			credential: credentialSpec,
			execution: executionSpec,
			renewal: renewalSpec,
			documents: documentsSpec,
			sending: sendingSpec,
			bulk: bulkSpec,
			results: resultsSpec,
			httpRequest: httpRequestSpec,
			brokenAnswers: brokenAnswersSpec,
			tool: toolSpec,
			mail: mailSpec,
			sharepoint: sharePointSpec,
			waiting: waitingSpec,
			stop: stopSpec,
			pausing: pausingSpec,
			trigger: triggerSpec,
			timeLimit: timeLimitSpec,
			pausingExamples: pausingExamplesSpec,
			outage: outageSpec,
		},
		{ long: true },
	);
	describeLine(line, { survival: survivalSpec }, { long: true }, FOR_BURSTS[line]);
}
