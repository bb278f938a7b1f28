'use strict';

/**
 * Runs test files in the process itself, and not each in a context of its own as jest's environment does. So a process loads n8n's
 * packages once, not once for each test file, which takes a second. Tests and the files of the project are still loaded for each file.
 * The engine tests take a third less computing with it.
 */
const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

globalThis.loadedOnce = require;

// Jest compiles a module again for each test file, because each file has a context of its own. Here all files share one context, so each
// module is compiled once.
const { compileFunction } = vm;
const compiled = new Map();
vm.compileFunction = (code, parameters, { parsingContext, ...options }) => {
	if (parsingContext !== globalThis)
		return compileFunction(code, parameters, { ...options, parsingContext });
	const key = [options.filename, ...parameters].join();
	const known = compiled.get(key);
	if (known?.code === code) return known.module;
	const module = compileFunction(code, parameters, options);
	compiled.set(key, { code, module });
	return module;
};

// Node visits each of these at each promise, also those of test files that have ended.
const storages = new Set();
const { _enable: enable } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype._enable = function () {
	storages.add(this);
	enable.call(this);
};

module.exports = class OneContext {
	constructor({ projectConfig: config }) {
		const global = globalThis;
		this.global = global;
		this.moduleMocker = new ModuleMocker(global);
		this.fakeTimers = new LegacyFakeTimers({
			config,
			global,
			moduleMocker: this.moduleMocker,
			timerConfig: { idToRef: (id) => id, refToId: (timer) => timer },
		});
		this.fakeTimersModern = new ModernFakeTimers({ config, global });
	}

	async setup() {}

	async teardown() {
		this.fakeTimers.dispose();
		this.fakeTimersModern.dispose();
		for (const storage of storages) storage.disable();
		storages.clear();
		delete globalThis.__coverage__; // jest has read it
		// Otherwise jest also calls the handlers of all files that have ended.
		delete globalThis[Symbol.for('EVENT_HANDLERS')];
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return globalThis;
	}
};
