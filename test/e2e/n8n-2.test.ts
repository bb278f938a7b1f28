import { browserSpec } from './specs/browser';
import { bulkSpec } from './specs/bulk';
import { credentialSpec } from './specs/credential';
import { documentsSpec } from './specs/documents';
import { executionSpec } from './specs/execution';
import { httpRequestSpec } from './specs/httpRequest';
import { mailSpec } from './specs/mail';
import { pausingSpec } from './specs/pausing';
import { renewalSpec } from './specs/renewal';
import { resultsSpec } from './specs/results';
import { sharePointSpec } from './specs/sharepoint';
import { stopSpec } from './specs/stop';
import { toolSpec } from './specs/tool';
import { triggerSpec } from './specs/trigger';
import { waitingSpec } from './specs/waiting';
import { wakingExamplesSpec } from './specs/wakingExamples';
import { describeLine } from './support';

describeLine('n8n-2', [credentialSpec, executionSpec, renewalSpec, documentsSpec, bulkSpec, resultsSpec, waitingSpec, stopSpec, pausingSpec, triggerSpec, wakingExamplesSpec, httpRequestSpec, toolSpec, mailSpec, sharePointSpec, browserSpec]);
