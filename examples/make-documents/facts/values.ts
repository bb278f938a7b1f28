import { total } from '../formats';

export interface InsuredLocation {
	number: number;
	address: string;
	city: string;
	state: string;
	occupancy: string;
	construction: string;
	yearBuilt: number;
	area: number;
	building: number;
	contents: number;
	businessIncome: number;
	/** building + contents + businessIncome */
	total: number;
}

function location(
	number: number,
	[address, city, state]: [string, string, string],
	[occupancy, construction, yearBuilt, area]: [string, string, number, number],
	[building, contents, businessIncome]: [number, number, number],
): InsuredLocation {
	return {
		number,
		address,
		city,
		state,
		occupancy,
		construction,
		yearBuilt,
		area,
		building,
		contents,
		businessIncome,
		total: building + contents + businessIncome,
	};
}

const locations: InsuredLocation[] = [
	location(
		1,
		['1 Placeholder Plaza', 'Exampleton', 'OH'],
		['Hotel, 142 rooms', 'Fire resistive', 2004, 98_400],
		[24_500_000, 3_900_000, 6_200_000],
	),
	location(
		2,
		['18 Specimen Avenue', 'Exampleton', 'OH'],
		['Restaurant', 'Joisted masonry', 1958, 6_850],
		[1_720_000, 485_000, 910_000],
	),
	location(
		3,
		['400 Mockup Boulevard', 'Testford', 'IN'],
		['Hotel, 96 rooms', 'Masonry non-comb.', 1997, 61_200],
		[13_860_000, 2_240_000, 3_450_000],
	),
	location(
		4,
		['402 Mockup Boulevard', 'Testford', 'IN'],
		['Parking structure', 'Fire resistive', 1999, 74_000],
		[5_180_000, 60_000, 320_000],
	),
	location(
		5,
		['9 Dummy Text Lane', 'Lorem Falls', 'KY'],
		['Conference center', 'Non-combustible', 2011, 43_500],
		[9_950_000, 1_475_000, 2_080_000],
	),
	location(
		6,
		['77 Ipsum Court', 'Lorem Falls', 'KY'],
		['Restaurant', 'Frame', 1934, 5_120],
		[1_140_000, 330_000, 640_000],
	),
	location(
		7,
		['2500 Fixture Parkway', 'Sandbox City', 'TN'],
		['Hotel, 210 rooms', 'Fire resistive', 2016, 151_800],
		[41_300_000, 6_350_000, 9_800_000],
	),
	location(
		8,
		['2510 Fixture Parkway', 'Sandbox City', 'TN'],
		['Laundry and stores', 'Non-combustible', 2016, 18_700],
		[2_480_000, 1_120_000, 275_000],
	),
	location(
		9,
		['6 Template Street', 'Draftville', 'MI'],
		['Bed and breakfast', 'Frame', 1921, 4_300],
		[985_000, 210_000, 188_000],
	),
	location(
		10,
		['31 Template Street', 'Draftville', 'MI'],
		['Marina and boathouse', 'Frame', 1965, 9_600],
		[1_360_000, 540_000, 415_000],
	),
	location(
		11,
		['800 Prototype Drive', 'Betaville', 'PA'],
		['Hotel, 118 rooms', 'Masonry non-comb.', 1988, 77_300],
		[17_640_000, 2_785_000, 4_120_000],
	),
	location(
		12,
		['850 Prototype Drive', 'Betaville', 'PA'],
		['Offices', 'Joisted masonry', 1972, 12_900],
		[2_260_000, 395_000, 0],
	),
];

/** A statement of values for a hotel group. Amounts are whole US dollars, areas square feet. */
export const VALUES = {
	insured: 'Placeholder Hospitality Group LLC',
	address: '1 Placeholder Plaza, Exampleton, OH 43999',
	policy: 'EMC-CP-2077310-26',
	effective: '2026-07-01',
	valuation: 'Replacement Cost',
	prepared: '2026-05-11',
	preparedBy: 'Aisha Probestück',
	preparedTitle: 'Chief Financial Officer',
	locations,
	building: total(locations.map((item) => item.building)),
	contents: total(locations.map((item) => item.contents)),
	businessIncome: total(locations.map((item) => item.businessIncome)),
	total: total(locations.map((item) => item.total)),
} as const;
