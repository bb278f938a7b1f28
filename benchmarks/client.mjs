/**
 * What somebody would write by hand: a client of the service with axios and form-data, in plain Node. `node client.mjs <task as JSON>`
 * prints what the task took as JSON.
 */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import FormData from 'form-data';

const API = '/api/v1';
const http = axios.create({ proxy: false, maxRedirects: 0, maxBodyLength: Infinity });

/** Creates an execution for each file, and waits for it; `parallel` creates are under way at the same time. */
async function documents({ url, login, workflowId, files, parallel, firstCheckSeconds }) {
	const headers = await authorization(url, login);
	const executions = `${url}${API}/workflow-builder/workflows/${workflowId}/executions`;
	const waits = [];
	const left = files.values();
	const worker = async () => {
		for (const file of left) {
			const { workflow_execution_id: id } = await create(executions, headers, file);
			waits.push(finished(`${executions}/${id}`, headers, firstCheckSeconds));
		}
	};
	await Promise.all(Array.from({ length: parallel }, worker));
	const statuses = await Promise.all(waits);
	return { completed: statuses.filter((status) => status === 'completed').length };
}

async function create(executions, headers, file) {
	const form = new FormData();
	form.append('files', createReadStream(file), {
		filename: basename(file),
		contentType: 'application/pdf',
		knownLength: statSync(file).size,
	});
	const { data } = await http.post(executions, form, {
		headers: { ...headers, ...form.getHeaders() },
	});
	return data;
}

/** The status of an execution once it has ended. */
async function finished(execution, headers, firstCheckSeconds) {
	for (;;) {
		await sleep(1_000 * firstCheckSeconds);
		const { data } = await http.get(execution, { headers });
		if (data.status !== 'running') return data.status;
	}
}

/** Sends one file, and hashes it on its way. */
async function upload({ url, login, workflowId, files: [file], readBytes }) {
	const headers = await authorization(url, login);
	const hash = createHash('sha256');
	const content = createReadStream(file, { highWaterMark: readBytes });
	content.on('data', (chunk) => hash.update(chunk));
	const form = new FormData();
	const knownLength = statSync(file).size;
	form.append('files', content, { filename: basename(file), knownLength });
	const executions = `${url}${API}/workflow-builder/workflows/${workflowId}/executions`;
	await http.post(executions, form, { headers: { ...headers, ...form.getHeaders() } });
	return { sha256: hash.digest('hex') };
}

async function authorization(url, { clientId, clientSecret }) {
	const body = { client_id: clientId, client_secret: clientSecret };
	const { data } = await http.post(`${url}${API}/oauth2/access_token`, body);
	return { authorization: `Bearer ${data.access_token}` };
}

const { task, ...given } = JSON.parse(process.argv[2]);
const begin = process.hrtime.bigint();
const before = process.cpuUsage();
const result = await { documents, upload }[task](given);
const { user, system } = process.cpuUsage(before);
const milliseconds = Number(process.hrtime.bigint() - begin) / 1e6;
console.log(JSON.stringify({ ...result, milliseconds, cpuMilliseconds: (user + system) / 1_000 }));
