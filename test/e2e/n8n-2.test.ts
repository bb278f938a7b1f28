import { bulkSpec } from './specs/bulk';
import { chaosSpec } from './specs/chaos';
import { credentialSpec } from './specs/credential';
import { executionSpec } from './specs/execution';
import { filesSpec } from './specs/files';
import { hostileNamesSpec } from './specs/hostileNames';
import { httpRequestSpec } from './specs/httpRequest';
import { mailSpec } from './specs/mail';
import { mailSweepSpec } from './specs/mailSweep';
import { migrationSpec } from './specs/migration';
import { renewalSpec } from './specs/renewal';
import { reviewingSpec } from './specs/reviewing';
import { sharePointSpec } from './specs/sharepoint';
import { tablesSpec } from './specs/tables';
import { templatesSpec } from './specs/templates';
import { templatesChecksSpec } from './specs/templatesChecks';
import { templatesErrorsSpec } from './specs/templatesErrors';
import { templatesFilesSpec } from './specs/templatesFiles';
import { templatesFormsSpec } from './specs/templatesForms';
import { templatesHalvesSpec } from './specs/templatesHalves';
import { templatesMailSpec } from './specs/templatesMail';
import { templatesOddSpec } from './specs/templatesOdd';
import { templatesReviewSpec } from './specs/templatesReview';
import { templatesTablesSpec } from './specs/templatesTables';
import { templatesTasksSpec } from './specs/templatesTasks';
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
	migration: migrationSpec,
	templates: templatesSpec,
	templatesMail: templatesMailSpec,
	templatesOdd: templatesOddSpec,
	templatesChecks: templatesChecksSpec,
	templatesFiles: templatesFilesSpec,
	templatesForms: templatesFormsSpec,
	templatesHalves: templatesHalvesSpec,
	templatesReview: templatesReviewSpec,
	templatesTables: templatesTablesSpec,
	templatesTasks: templatesTasksSpec,
	templatesErrors: templatesErrorsSpec,
	chaos: chaosSpec, // last, because it moves the clock there and back
});
