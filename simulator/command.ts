/** The simulator as a command: options, output, and messages when it cannot start. */
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigurationError, DEFAULT_CONFIGURATION_FILE } from './configuration';
import { startSimulator, type Simulator } from './index';
import type { RequestEntry } from './state/requests';

const USAGE = `Usage: npm run simulator -- [options]

  --configuration FILE         JSON file with clients and workflows
  --port NUMBER                production environment (4010)
  --staging-port NUMBER        staging environment (4011)
  --administration-port NUMBER administration interface (4012)
  --help                       this text

A port of 0 takes any free one.`;

const DEFAULT_PORTS = { port: 4010, 'staging-port': 4011, 'administration-port': 4012 } as const;

type PortName = keyof typeof DEFAULT_PORTS;

interface Options {
	configuration: string;
	ports: Record<PortName, number>;
}

/** Starts the simulator with the arguments and prints its URLs; prints the reason and returns undefined when it cannot start. */
export async function runCommand(
	parameters: string[],
	print: (line: string) => void,
	printError: (line: string) => void,
): Promise<Simulator | undefined> {
	try {
		const options = optionsOf(parameters);
		if (!options) {
			print(USAGE);
			return undefined;
		}
		const simulator = await start(options);
		simulator.state.requests.onFinished((entry) => print(lineOf(entry)));
		print(welcome(simulator, options.configuration));
		return simulator;
	} catch (error) {
		printError(reasonOf(error));
		return undefined;
	}
}

/** Undefined when the arguments ask for the usage only. */
function optionsOf(parameters: string[]): Options | undefined {
	const { values } = parseArgs({
		args: parameters,
		options: {
			configuration: { type: 'string', default: DEFAULT_CONFIGURATION_FILE },
			port: { type: 'string' },
			'staging-port': { type: 'string' },
			'administration-port': { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) return undefined;
	const port = (name: PortName): number => portOf(name, values[name]);
	return {
		configuration: values.configuration,
		ports: {
			port: port('port'),
			'staging-port': port('staging-port'),
			'administration-port': port('administration-port'),
		},
	};
}

function portOf(name: PortName, given: string | undefined): number {
	const number = given === undefined ? DEFAULT_PORTS[name] : Number(given);
	if (Number.isInteger(number) && number >= 0 && number <= 65535 && given !== '') return number;
	throw new ConfigurationError(`--${name} must be a port from 0 to 65535, not "${given}".`);
}

function start({ configuration, ports }: Options): Promise<Simulator> {
	return startSimulator({
		configuration,
		ports: {
			production: ports.port,
			staging: ports['staging-port'],
			administration: ports['administration-port'],
		},
	});
}

function welcome(
	{ productionUrl, stagingUrl, administrationUrl, state }: Simulator,
	configuration: string,
): string {
	const workflows = state.workflows
		.all()
		.map(({ workflowId, name }) => `  ${workflowId}${name ? `  ${name}` : ''}`);
	return [
		'Document-processing service (simulator)',
		`  production      ${productionUrl}`,
		`  staging         ${stagingUrl}`,
		`  administration  ${administrationUrl}`,
		'Workflows',
		...(workflows.length > 0 ? workflows : ['  none']),
		`Client ID and client secret: see "clients" in ${relative(process.cwd(), configuration)}`,
		'Ctrl-C ends it.',
	].join('\n');
}

function lineOf({
	environment,
	method,
	path,
	status,
	startedAt,
	finishedAt,
	faultApplied,
}: RequestEntry): string {
	const fault = faultApplied ? `  fault: ${faultApplied}` : '';
	return `${environment}  ${method} ${path}  ${status ?? 'no answer'}  ${(finishedAt ?? startedAt) - startedAt} ms${fault}`;
}

function reasonOf(error: unknown): string {
	const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
	if (code === 'EADDRINUSE') {
		return `Port ${port} is taken by another program. End that program, or choose other ports with --port, --staging-port and --administration-port.`;
	}
	if (code === 'EACCES') return `Port ${port} may not be used by this user. Choose one above 1023.`;
	if (code?.startsWith('ERR_PARSE_ARGS')) return `${message.split('. ')[0]}.\n\n${USAGE}`;
	return message;
}
