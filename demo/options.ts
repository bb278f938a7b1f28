import { parseArgs } from 'node:util';
import { Trouble } from '../harness/report';

export const HELP = `npm run demo -- [options]

Sends the sample documents through this package in a real n8n to a simulated service, prints the results,
and leaves the editor open.

  --once         end after the run; the exit code is 0 only if every document was completed
  --port <port>  port of the n8n editor (default 5678, or another free one if that is taken)
  --help         this text`;

export interface DemoOptions {
	once: boolean;
	help: boolean;
	port: number | undefined;
}

/** Reads the command line. Raises Trouble for unknown options. */
export function readOptions(args: string[]): DemoOptions {
	try {
		const { values } = parseArgs({
			args,
			options: {
				once: { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
				port: { type: 'string' },
			},
		});
		return { once: values.once ?? false, help: values.help ?? false, port: readPort(values.port) };
	} catch (error) {
		throw new Trouble(error instanceof Error ? error.message : String(error), HELP);
	}
}

function readPort(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new Error(`--port must be a number from 1 to 65535, not "${text}".`);
}
