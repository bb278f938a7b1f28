import { parseArgs } from 'node:util';
import { Trouble } from '../harness/report';

export const HELP = `npm run demo -- [options]

Sends the sample documents through this package in a real n8n to a simulated service, prints the results,
and leaves the editor open.

  --once         end after the run; the exit code is 0 only if every document was completed
  --port <port>  port of the n8n editor (default 5678, or another free one if that is taken)
  --n8n <url>    use this n8n instead of one that the demo starts. It must have this package, reach this machine at
                 127.0.0.1, and be new; or give its owner in N8N_OWNER_EMAIL and N8N_OWNER_PASSWORD
  --documents <folder>
                 where that n8n finds the sample documents, if not in examples/documents of this folder
  --help         this text`;

export interface DemoOptions {
	once: boolean;
	help: boolean;
	port: number | undefined;
	/** The base URL of an n8n that runs already, with the folder of the sample documents as that n8n sees it. */
	n8n: { url: string; documents: string | undefined } | undefined;
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
				n8n: { type: 'string' },
				documents: { type: 'string' },
			},
		});
		if (values.n8n === undefined && values.documents !== undefined)
			throw new Error('--documents needs --n8n.');
		const { once = false, help = false, documents } = values;
		return { once, help, port: readPort(values.port), n8n: readUrl(values.n8n, documents) };
	} catch (error) {
		throw new Trouble(error instanceof Error ? error.message : String(error), HELP);
	}
}

export function readPort(text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
	throw new Error(`--port must be a number from 1 to 65535, not "${text}".`);
}

function readUrl(text: string | undefined, documents: string | undefined): DemoOptions['n8n'] {
	if (text === undefined) return undefined;
	if (!URL.canParse(text)) throw new Error(`--n8n must be a URL, not "${text}".`);
	return { url: text.replace(/\/+$/, ''), documents };
}
