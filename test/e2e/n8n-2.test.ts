import { browserSpec } from './specs/browser';
import { credentialSpec } from './specs/credential';
import { executionSpec } from './specs/execution';
import { httpRequestSpec } from './specs/httpRequest';
import { renewalSpec } from './specs/renewal';
import { stopSpec } from './specs/stop';
import { toolSpec } from './specs/tool';
import { uploadSpec } from './specs/upload';
import { describeLine } from './support';

describeLine('n8n-2', [credentialSpec, executionSpec, renewalSpec, uploadSpec, stopSpec, httpRequestSpec, toolSpec, browserSpec]);
