import { browserSpec } from './specs/browser';
import { browserReviewingSpec } from './specs/browserReviewing';
import { newcomerSpec } from './specs/newcomer';
import { describeLine } from './lines';

describeLine('n8n-2', {
	browser: browserSpec,
	newcomer: newcomerSpec,
	browserReviewing: browserReviewingSpec,
});
