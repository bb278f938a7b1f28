import { runCommand } from './command';

async function main(): Promise<void> {
	const simulator = await runCommand(process.argv.slice(2), console.log, console.error);
	if (!simulator) {
		process.exitCode = process.argv.includes('--help') ? 0 : 1;
		return;
	}
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => void simulator.stop());
}

void main();
