/**
 * Credentials as n8n keeps them: encrypted, decrypted for every request, and changed by a node's run only through
 * preAuthentication. Follows the CredentialsHelper of n8n 2.41.1 step by step; its database is a map here.
 */
import { Credentials, Cipher, EncryptionKeyProxy, InstanceSettings } from 'n8n-core';
import {
	getCredentialOwnRequestAllowedDomains,
	ICredentialsHelper,
	isExpression,
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type ICredentialsExpressionResolveValues,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { CREDENTIAL_TYPE, documentWorkflowApi } from './package';
import { Container } from '@n8n/di';

export class CredentialsStore extends ICredentialsHelper {
	private readonly rows = new Map<string, string>();

	/** How often a token was stored. */
	updates = 0;

	constructor() {
		super();
		useInstanceEncryptionKey();
	}

	/** Stores what a user enters; overwrites an existing identifier, as Save in the editor does. */
	async save(
		id: string,
		entered: ICredentialDataDecryptedObject,
	): Promise<INodeCredentialsDetails> {
		const credentials = new Credentials({ id, name: id }, CREDENTIAL_TYPE);
		await credentials.setData(entered);
		this.rows.set(id, encryptedDataOf(credentials));
		return { id, name: id };
	}

	/** The stored data, decrypted. */
	async stored(id: string): Promise<ICredentialDataDecryptedObject> {
		return (await this.getCredentials({ id, name: id }, CREDENTIAL_TYPE)).getData();
	}

	/** The stored data as in the database. */
	encrypted(id: string): string {
		return this.rows.get(id) ?? '';
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties(typeName: string): INodeProperties[] {
		return typeOf(typeName).properties;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = typeOf(typeName);
		if (typeof authenticate !== 'function')
			throw new Error('This credential authenticates by a function');
		return authenticate(credentials, requestOptions);
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const type = typeOf(typeName);
		const expirable = type.properties.find(
			(property) => property.type === 'hidden' && property.typeOptions?.expirable === true,
		);
		if (expirable === undefined || typeof type.preAuthentication !== 'function') return undefined;
		if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;
		const output = await type.preAuthentication.call(
			restrictedToDomains(helpers, credentials),
			credentials,
		);
		if (output[expirable.name] === undefined) return undefined;
		const nodeCredentials = node.credentials?.[type.name];
		if (nodeCredentials === undefined) return undefined;
		const storedData = await (await this.getCredentials(nodeCredentials, type.name)).getData();
		const dataToPersist = { ...storedData };
		for (const [name, value] of Object.entries(output)) {
			if (name === expirable.name || !isExpression(storedData[name]))
				dataToPersist[name] = value as string;
		}
		await this.updateCredentials(nodeCredentials, type.name, dataToPersist);
		return Object.assign(credentials, output);
	}

	async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const type = typeOf(typeName);
		if (typeof type.preAuthentication !== 'function') return undefined;
		return {
			...(await type.preAuthentication.call(
				restrictedToDomains(helpers, credentials),
				credentials,
			)),
		} as ICredentialDataDecryptedObject;
	}

	async getCredentials({ id }: INodeCredentialsDetails, typeName: string): Promise<Credentials> {
		const data = this.rows.get(id ?? '');
		if (id === null || data === undefined)
			throw new Error(`Credential with ID "${id}" does not exist for type "${typeName}".`);
		return new Credentials({ id, name: id }, typeName, data);
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		nodeCredentials: INodeCredentialsDetails,
		typeName: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		resolve?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const original = await (await this.getCredentials(nodeCredentials, typeName)).getData();
		if (raw === true) return original;
		const complete =
			NodeHelpers.getNodeParameters(
				this.getCredentialsProperties(typeName),
				original as never,
				true,
				false,
				null,
				null,
			) ?? {};
		if (resolve === undefined) return complete as ICredentialDataDecryptedObject;
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = resolve;
		return workflow.expression.getParameterValue(
			complete,
			runExecutionData,
			runIndex,
			itemIndex,
			node.name,
			connectionInputData,
			mode,
			{},
			executeData,
			false,
			complete,
		) as ICredentialDataDecryptedObject;
	}

	async updateCredentials(
		nodeCredentials: INodeCredentialsDetails,
		typeName: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		const credentials = await this.getCredentials(nodeCredentials, typeName);
		await credentials.setData(data);
		this.rows.set(String(nodeCredentials.id), encryptedDataOf(credentials));
		this.updates++;
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('Not for this kind of credential');
	}
}

function encryptedDataOf(credentials: Credentials): string {
	return credentials.getDataToSave().data ?? '';
}

function typeOf(typeName: string): ICredentialType {
	if (typeName !== CREDENTIAL_TYPE) throw new Error(`Unknown credential type "${typeName}"`);
	return documentWorkflowApi;
}

/** Token requests obey the domains that a credential is restricted to. */
function restrictedToDomains(
	helpers: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): IHttpRequestHelper {
	const httpRequest = async (options: IHttpRequestOptions): Promise<unknown> => {
		const allowedDomains = getCredentialOwnRequestAllowedDomains(credentials);
		return helpers.helpers.httpRequest(
			allowedDomains === undefined ? options : { ...options, allowedDomains },
		);
	};
	return { helpers: { httpRequest } };
}

function useInstanceEncryptionKey(): void {
	const { encryptionKey } = Container.get(InstanceSettings);
	const key = {
		id: 'legacy',
		value: Container.get(Cipher).encryptDEKWithInstanceKey(encryptionKey),
		algorithm: 'aes-256-cbc',
		format: 'no-prefix' as const,
	};
	Container.get(EncryptionKeyProxy).setProvider({
		getActiveKey: async () => key,
		getKeyById: async () => null,
		getLegacyKey: async () => key,
	});
}
