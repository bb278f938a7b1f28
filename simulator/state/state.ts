/** The state of the simulator, in memory, and its reset to the configuration. */
import type { Clock } from '../clock';
import {
	changeWorkflow,
	type Client,
	type Configuration,
	type Settings,
	type Workflow,
	type WorkflowChange,
} from '../configuration';
import { randomNumbers } from '../processing/durations';
import { Deliveries } from '../webhooks/deliveries';
import { Executions } from './executions';
import { Faults } from './faults';
import { Limits } from './limits';
import { RequestLog } from './requests';
import { Tokens } from './tokens';

export class SimulatorState {
	readonly requests: RequestLog;
	readonly faults = new Faults();
	readonly tokens: Tokens;
	readonly limits: Limits;
	readonly executions: Executions;
	readonly deliveries: Deliveries;
	private random: () => number;
	private currentSettings: Settings;
	private currentWorkflows: Map<string, Workflow>;

	constructor(
		private readonly configuration: Configuration,
		readonly clock: Clock,
	) {
		this.requests = new RequestLog(clock.now);
		this.random = randomNumbers(configuration.seed);
		this.currentSettings = settingsOf(configuration);
		this.currentWorkflows = workflowsOf(configuration);
		this.tokens = new Tokens(() => this.currentSettings);
		this.limits = new Limits(() => this.currentSettings.parallelRequests);
		this.deliveries = new Deliveries(clock);
		const random = () => this.random();
		this.executions = new Executions(clock, random, (execution) => {
			// The current configuration counts: a webhook may have been set while the execution ran.
			const workflow = this.currentWorkflows.get(execution.workflowId);
			if (workflow) void this.deliveries.announce(execution, workflow);
		});
	}

	readonly settings = {
		current: (): Settings => ({ ...this.currentSettings }),
		change: (change: Partial<Settings>): void => {
			this.currentSettings = { ...this.currentSettings, ...change };
		},
	};

	readonly workflows = {
		all: (): Workflow[] => [...this.currentWorkflows.values()],
		find: (workflowId: string): Workflow | undefined => this.currentWorkflows.get(workflowId),
		/** Changes some fields of a workflow for executions that start or end from now on. Undefined: no such workflow. */
		change: (workflowId: string, change: WorkflowChange): Workflow | undefined => {
			const current = this.currentWorkflows.get(workflowId);
			if (!current) return undefined;
			const changed = changeWorkflow(current, change);
			this.currentWorkflows.set(workflowId, changed);
			return changed;
		},
	};

	get clients(): Client[] {
		return this.configuration.clients;
	}

	/** Resets to the configuration: no requests, executions, faults or deliveries; earlier tokens are revoked. */
	reset(): void {
		this.random = randomNumbers(this.configuration.seed);
		this.currentSettings = settingsOf(this.configuration);
		this.currentWorkflows = workflowsOf(this.configuration);
		this.tokens.reset();
		this.executions.clear();
		this.faults.clear();
		this.deliveries.clear();
		this.requests.clear();
	}

	/** Ends everything in progress. */
	stop(): void {
		this.executions.stop();
		this.deliveries.stop();
	}
}

function settingsOf(configuration: Configuration): Settings {
	const { tokenLifetimeSeconds, parallelRequests, maximumBodyBytes } = configuration;
	return { tokenLifetimeSeconds, parallelRequests, maximumBodyBytes };
}

function workflowsOf(configuration: Configuration): Map<string, Workflow> {
	return new Map(configuration.workflows.map((workflow) => [workflow.workflowId, workflow]));
}
