import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { get } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { newCertificate, type Certificate } from './certificate';
import { installNode, installRegistry } from './install';
import { defaultRegistry, newLog, npm } from './npm';
import { freePorts } from './ports';
import { runLeashed } from './processes';
import { silent } from './report';
import { HOST, serverFolder, startServer } from './server';

/**
 * A registry of npm packages on loopback that has only what is published here. n8n accepts another registry than npm's only with a
 * licence, so n8n reaches it as npm's registry, through a proxy that refuses all other hosts.
 */
export interface Registry {
	/** Publishes a packed package under another version, which becomes the latest. */
	publish: (tarball: string, version: string) => Promise<void>;
	/** Prepares a user folder of n8n for this registry; returns the environment in which n8n must start. */
	prepare: (userFolder: string) => NodeJS.ProcessEnv;
	/** The `.npmrc` of a user who has signed in to this registry. */
	npmrc: string;
	stop: () => Promise<void>;
}

export async function startRegistry(): Promise<Registry> {
	const program = await installRegistry(silent);
	const node = await installNode(silent);
	const folder = serverFolder('registry');
	const { hostname: name } = await defaultRegistry(folder);
	const [port = 0] = await freePorts(1);
	const address = `https://${HOST}:${port}/`;
	const certificate = await newCertificate(join(folder, 'certificate.crt'), name, HOST);
	const config = join(folder, 'config.json'); // YAML includes JSON
	writeFileSync(config, JSON.stringify(configuration(folder, certificate)));
	const server = await startServer({
		name: 'Verdaccio',
		command: node,
		args: [program, '--config', config, '--listen', address],
		folder,
		install: 'Remove the folder of Verdaccio in the cache folder and start again.',
		isReady: async () => answers(`${address}-/ping`, certificate.cert),
	});
	const proxy = await startProxy(name, port);
	const npmSettings = { cafile: certificate.file, cache: join(folder, 'npm-cache') };
	const npmrc = join(folder, 'npmrc-of-user');
	const token = { [`//${HOST}:${port}/:_authToken`]: 'any' }; // npm publishes only with one; Verdaccio here ignores it
	writeFileSync(npmrc, ini({ registry: address, ...npmSettings, ...token }));
	return {
		npmrc,
		publish: async (tarball, version) => {
			const source = mkdtempSync(join(folder, 'source-'));
			await runLeashed('tar', ['-xzf', tarball, '-C', source, '--strip-components=1']);
			const file = join(source, 'package.json');
			const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
			writeFileSync(file, JSON.stringify({ ...manifest, version }));
			const settings = { registry: address, userconfig: npmrc, ...npmSettings };
			const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
			await npm(
				['publish', '--ignore-scripts', '--provenance=false', ...options],
				source,
				newLog(join(folder, `publish-${version}.log`)),
			);
		},
		prepare: (userFolder) => {
			const nodes = join(userFolder, '.n8n', 'nodes');
			mkdirSync(nodes, { recursive: true });
			// n8n 1 starts npm there without its own environment.
			const lines = { registry: `https://${name}/`, 'https-proxy': proxy.url, ...npmSettings };
			writeFileSync(join(nodes, '.npmrc'), ini(lines));
			return {
				HTTPS_PROXY: proxy.url,
				NO_PROXY: `${HOST},localhost`,
				NODE_EXTRA_CA_CERTS: certificate.file,
				npm_config_cache: npmSettings.cache,
				npm_config_cafile: npmSettings.cafile,
			};
		},
		stop: async () => {
			proxy.stop();
			await server.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function ini(settings: Record<string, string>): string {
	return Object.entries(settings)
		.map(([name, value]) => `${name}=${value}\n`)
		.join('');
}

function configuration(folder: string, { cert, key }: Certificate): object {
	const keyFile = join(folder, 'certificate.key');
	writeFileSync(keyFile, key, { mode: 0o600 });
	const certFile = join(folder, 'certificate.pem');
	writeFileSync(certFile, cert);
	return {
		storage: join(folder, 'storage'),
		https: { key: keyFile, cert: certFile, ca: certFile },
		packages: { '**': { access: '$all', publish: '$all' } },
		web: { enable: false },
		log: { type: 'stdout', format: 'pretty', level: 'warn' },
	};
}

async function answers(address: string, ca: string): Promise<boolean> {
	return new Promise((resolve) => {
		get(address, { ca }, (response) => resolve(response.resume().statusCode === 200)).on(
			'error',
			() => resolve(false),
		);
	});
}

/** A proxy that leads npm's registry to a port of loopback. */
async function startProxy(name: string, port: number): Promise<{ url: string; stop: () => void }> {
	const proxy = createServer((_request, response) => response.writeHead(502).end());
	proxy.on('connect', ({ url }, client) => {
		client.on('error', () => undefined);
		if (url !== `${name}:443`) return void client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
		const registry = connect(port, HOST, () => {
			client.write('HTTP/1.1 200 Connection established\r\n\r\n');
			registry.pipe(client);
			client.pipe(registry);
		});
		registry.on('error', () => client.destroy());
		client.on('close', () => registry.destroy());
	});
	await new Promise<void>((resolve) => proxy.listen(0, HOST, resolve));
	return {
		url: `http://${HOST}:${(proxy.address() as AddressInfo).port}`,
		stop: () => proxy.close(),
	};
}
