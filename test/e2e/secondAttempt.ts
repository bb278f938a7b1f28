/**
 * n8n, its database, a browser and a mail server run beside each other here, and now and then one of them is late. A test that failed
 * runs once more, after the others of its block. `.ci/failures.js` names it with its first failure, and allows few of them.
 */
jest.retryTimes(1, { logErrorsBeforeRetry: true });
