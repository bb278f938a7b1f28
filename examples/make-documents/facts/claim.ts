import { total } from '../formats';
import { AGENCY, MANUFACTURER } from './parties';
import { POLICY } from './policy';

export interface LineItem {
	description: string;
	quantity: number;
	unit: string;
	unitPrice: number;
	/** quantity × unitPrice, in whole cents. */
	amount: number;
}

function line(description: string, quantity: number, unit: string, unitPrice: number): LineItem {
	return { description, quantity, unit, unitPrice, amount: total([quantity * unitPrice]) };
}

/** The loss behind the notice, its attachments, the adjuster's note and the invoice. */
export const LOSS = {
	policy: POLICY.number,
	insured: MANUFACTURER.name,
	date: '2026-04-18',
	time: '6:40 AM',
	location: POLICY.premises[1]?.address ?? '',
	type: 'Vehicle impact',
	description:
		'A delivery truck rolled back and struck the north wall of the warehouse at dock door 3.',
	estimate: 48_750,
	injuries: false,
	police: {
		department: 'Exampleton Police Department',
		report: 'EPD-26-004118',
		officer: 'Officer T. Paradigma',
		badge: '0417',
		incident: 'Vehicle, property damage',
		status: 'Closed, no criminal act',
		injured: 0,
		citation: false,
	},
	driver: { name: 'Max Mustermann', carrier: 'Imaginary Freight Lines LLC', plate: 'OH EX-4MPL' },
	contact: MANUFACTURER,
	reporter: AGENCY,
} as const;

/** The insurer's record of the claim. */
export const CLAIM = {
	number: 'CL-2026-004417',
	adjuster: 'Zoë Vorbild-Łącka',
	adjusterPhone: '(614) 555-0118',
	noteDate: '2026-04-23',
	contactName: 'François Exempleçon',
	contactTitle: 'plant manager',
	inspected: '2026-04-22',
	reserve: 52_000,
	paid: 0,
	recoverable: true,
	nextAction: 'Obtain electrical breakdown, request repair invoice',
} as const;

const estimateLines: LineItem[] = [
	line('Emergency board-up and shoring, dock door 3', 1, 'job', 3_850),
	line('Remove and replace masonry wall panel', 420, 'sq ft', 46.5),
	line('Sectional dock door 10 x 10 ft, insulated, installed', 1, 'each', 9_640),
	line('Dock leveler and bumper, repair', 1, 'each', 6_275),
	line('Electrical: door operator, conduit and lighting', 1, 'job', 4_180),
	line('Paint, cleaning and debris removal', 1, 'job', 5_275),
];

/** The contractor's estimate that is attached to the notice. */
export const ESTIMATE = {
	number: 'EST-7731',
	date: '2026-04-19',
	/** The contractor wrote the day before the loss: the two documents of the notice contradict each other. */
	writtenLossDate: '2026-04-17',
	contractor: 'Sample Restoration & Builders LLC',
	contractorAddress: ['310 Mockup Boulevard', 'Exampleton, OH 43999'],
	phone: '(614) 555-0186',
	email: 'office@restoration.example.com',
	lines: estimateLines,
	total: total(estimateLines.map((item) => item.amount)),
} as const;

const invoiceLines: LineItem[] = [
	line('Emergency board-up and shoring, dock door 3', 1, 'job', 3_850),
	line('Masonry wall panel, removed and replaced', 396, 'sq ft', 46.5),
	line('Sectional dock door 10 x 10 ft, insulated', 1, 'each', 9_215.4),
	line('Dock leveler repair, parts', 1, 'each', 2_986.25),
	line('Dock leveler repair, labor', 22.5, 'hour', 96),
	line('Licensed electrician', 31, 'hour', 112.5),
	line('Conduit, wiring and LED fixtures', 1, 'lot', 688.42),
	line('Paint and surface preparation', 640, 'sq ft', 3.85),
	line('Debris removal, 20 yd container', 2, 'each', 585),
];
const subtotal = total(invoiceLines.map((item) => item.amount));
const taxRate = 0.075;
const taxable = total(
	invoiceLines
		.filter((item) => /door 10|parts|fixtures/.test(item.description))
		.map((item) => item.amount),
);
const tax = total([taxable * taxRate]);

/** The contractor's invoice after the repair. */
export const INVOICE = {
	number: 'INV-20458',
	date: '2026-06-12',
	due: '2026-07-12',
	terms: 'Net 30 days',
	purchaseOrder: 'PO-118204',
	lines: invoiceLines,
	subtotal,
	taxRate,
	tax,
	deposit: 3_850,
	totalDue: total([subtotal, tax, -3_850]),
} as const;
