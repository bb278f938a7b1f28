/**
 * The document-processing service on loopback: for the demonstration, the tests and the benchmarks.
 * It implements the wire contract strictly: it rejects what the real service would reject.
 */
import type { FastifyInstance } from 'fastify';
import { REAL_TIME, type Clock } from './clock';
import {
	DEFAULT_CONFIGURATION_FILE,
	loadConfiguration,
	type SimulatorConfiguration,
} from './configuration';
import { createAdministration } from './http/administration';
import { createService } from './http/service';
import { SimulatorState } from './state/state';

export type { SimulatorConfiguration } from './configuration';

export interface SimulatorOptions {
	/** An object, or the path of a JSON file; without it the configuration of `simulator.json`. */
	configuration?: SimulatorConfiguration | string;
	host?: '127.0.0.1';
	clock?: Clock;
	/** 0 or undefined: a free port. */
	ports?: { production?: number; staging?: number; administration?: number };
}

export interface Simulator {
	/** URLs without a trailing slash, such as http://127.0.0.1:4010. */
	productionUrl: string;
	stagingUrl: string;
	administrationUrl: string;
	state: SimulatorState;
	stop(): Promise<void>;
}

/** Starts the service. Raises a ConfigurationError, or the error of the listener (EADDRINUSE) with its port. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
	const { configuration = DEFAULT_CONFIGURATION_FILE, host = '127.0.0.1', ports = {} } = options;
	const { clock = REAL_TIME } = options;
	const state = new SimulatorState(loadConfiguration(configuration), clock);
	const listeners = [
		createService(state, 'production'),
		createService(state, 'staging'),
		createAdministration(state),
	] as const;
	const stop = async (): Promise<void> => {
		state.stop();
		await Promise.all(listeners.map((listener) => listener.close()));
	};
	const listen = (listener: FastifyInstance, port = 0): Promise<string> =>
		listener.listen({ host, port });
	try {
		const [production, staging, administration] = listeners;
		const productionUrl = await listen(production, ports.production);
		const stagingUrl = await listen(staging, ports.staging);
		const administrationUrl = await listen(administration, ports.administration);
		return {
			productionUrl,
			stagingUrl,
			administrationUrl,
			state,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}
