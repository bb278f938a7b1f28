import { migrationSpec } from './specs/migration';
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
import { verdictsSpec } from './specs/verdicts';
import { describeLine } from './lines';

describeLine('n8n-2', {
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
	verdicts: verdictsSpec,
});
