/** Companies of the sample documents. None of them exists; telephone numbers and domains are those reserved for examples. */

export const INSURER = {
	name: 'Example Mutual Insurance Company',
	short: 'Example Mutual',
	address: ['1 Sample Plaza', 'Exampleton, OH 43999'],
	phone: '(614) 555-0100',
	claimsPhone: '(614) 555-0111',
	email: 'claims@mutual.example.com',
	website: 'www.mutual.example.com',
} as const;

export const AGENCY = {
	name: 'Sample & Daughters Insurance Agency',
	code: '34-00127',
	address: ['77 Specimen Avenue, Suite 300', 'Exampleton, OH 43999'],
	producer: 'Renée Beispiel',
	phone: '(614) 555-0142',
	email: 'renee@sample-agency.example.com',
} as const;

export const MANUFACTURER = {
	name: 'Example Manufacturing Inc.',
	address: ['100 Example Way', 'Exampleton, OH 43999'],
	business: 'Precision metal parts manufacturing',
	contact: 'Søren Eksempel',
	title: 'Risk Manager',
	phone: '(614) 555-0173',
	email: 'soren@manufacturing.example.com',
} as const;
