/** What n8n gives to each run, and its log. */
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { ExternalSecretsProxy } from 'n8n-core';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { LoggerProxy } from 'n8n-workflow';
import type { CredentialsStore } from './credentials-store';

export function additionalDataWith(
	credentialsHelper: CredentialsStore,
): IWorkflowExecuteAdditionalData {
	const unused = async (): Promise<never> => Promise.reject(new Error('Not part of these tests'));
	return {
		credentialsHelper,
		externalSecretsProxy: Container.get(ExternalSecretsProxy),
		currentNodeExecutionIndex: 0,
		executeWorkflow: unused,
		getRunExecutionData: async () => undefined,
		getRuntimeCredential: async () => undefined,
		startRunnerTask: unused,
		logAiEvent: () => undefined,
		variables: {},
		restApiUrl: '',
		instanceBaseUrl: '',
		formBaseUrl: '',
		formWaitingBaseUrl: '',
		formTestBaseUrl: '',
		webhookBaseUrl: '',
		webhookWaitingBaseUrl: '',
		webhookTestBaseUrl: '',
		mcpBaseUrl: '',
		mcpTestBaseUrl: '',
	};
}

/** The lines that n8n and the node write to n8n's log. */
export function recordLogs(): string[] {
	const logs: string[] = [];
	const logger = Container.get(Logger);
	for (const level of ['error', 'warn', 'info', 'debug'] as const) {
		jest.spyOn(logger, level).mockImplementation((...said: unknown[]) => {
			logs.push(
				`${level}: ${said.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ')}`,
			);
		});
	}
	LoggerProxy.init(logger);
	return logs;
}
