import { bulkSpec } from './specs/bulk';
import { chaosSpec } from './specs/chaos';
import { credentialSpec } from './specs/credential';
import { executionSpec } from './specs/execution';
import { filesSpec } from './specs/files';
import { hostileNamesSpec } from './specs/hostileNames';
import { httpRequestSpec } from './specs/httpRequest';
import { mailSpec } from './specs/mail';
import { mailSweepSpec } from './specs/mailSweep';
import { renewalSpec } from './specs/renewal';
import { reviewingSpec } from './specs/reviewing';
import { sharePointSpec } from './specs/sharepoint';
import { tablesSpec } from './specs/tables';
import { toolSpec } from './specs/tool';
import { valuesSpec } from './specs/values';
import { describeLine } from './lines';

describeLine('n8n-2', {
	credential: credentialSpec,
	execution: executionSpec,
	files: filesSpec,
	renewal: renewalSpec,
	hostileNames: hostileNamesSpec,
	bulk: bulkSpec,
	tables: tablesSpec,
	values: valuesSpec,
	httpRequest: httpRequestSpec,
	tool: toolSpec,
	reviewing: reviewingSpec,
	mail: mailSpec,
	mailSweep: mailSweepSpec,
	sharepoint: sharePointSpec,
	chaos: chaosSpec, // last, because it moves the clock there and back
});
