import type { Question } from './questions.ts'

const about =
  (of: Question['of']) =>
  (document: string) =>
  (ask: string, fact: RegExp | null = null): Question => ({ ask, of, document, fact })

const invoice = about('office')('invoice.txt')
const membership = about('office')('membership.txt')
const handbook = about('office')('handbook.md')
const ferry = about('office')('api.md')
const lamp = about('office')('faq.md')
const plans = about('office')('plans.csv')
const stations = about('office')('stations.md')
const returns = about('office')('returns-policy.md')
const incident = about('office')('incident.md')
const statutes = about('office')('satzung.md')
const parley = about('parley')('')

const answerable: Question[] = [
  invoice('What is the invoice number?', /HOS-20931/),
  invoice('When is the invoice due?', /April 2, 2025/),
  invoice('How much sales tax was charged?', /25\.56/),
  invoice('What is the total amount due to Harbor Office Supply?', /508\.51/),
  invoice('How many toner cartridges were ordered?', /(?:LX-40|Toner)\D+(?:LX-40\D*)?\b3\b/),
  invoice('Who is the account manager?', /Natarajan/),
  invoice('What happens if I pay late?', /1\.5 ?%/),
  invoice('Can opened toner be returned?', /cannot be returned/),
  invoice('What did shipping cost?', /18\.25/),
  membership('How many points does Tomas have?', /4,815/),
  membership('What is the membership level of Tomas Halvorsen?', /Gold/),
  membership('Which points expire at the end of the year?', /620/),
  membership('Who should be called in an emergency?', /Ingrid/),
  membership('How many points do I need for a private lesson?', /1,200/),
  membership('Can I pause my membership?', /three months/),
  membership('Which locker does the member have?', /B-17/),
  handbook('What are the core hours?', /10:00 to 15:00/),
  handbook('How many days can I work from home?', /three days a week/),
  handbook('Am I allowed to work from abroad?', /twenty days/),
  handbook('How much vacation do I get?', /30 days/),
  handbook('What happens to unused vacation days?', /31 March/),
  handbook('When do I need a doctor’s note?', /third day/),
  handbook('My laptop was stolen, what should I do?', /within one hour/),
  handbook('Who is the security officer?', /Mei Tanaka/),
  handbook('What is the budget for a desk?', /600 euros/),
  handbook('How long is the notice period?', /three months to the end/),
  handbook('What do I have to give back when I leave?', /badge/),
  handbook('May I fly business class?', /economy/),
  ferry('How do I authenticate with the Ferry API?', /X-Ferry-Key/),
  ferry('How many requests per minute are allowed by Ferry?', /240/),
  ferry('How do I revoke a key?', /ferry keys revoke/),
  ferry('How do I start a transfer?', /\/v3\/transfers/),
  ferry('What is the default of parallel?', /\b8\b/),
  ferry('What does the error too_large mean?', /5 TB/),
  ferry('Which status code is returned when the quota is exhausted?', /402/),
  ferry('How do I install the ferry command line?', /install\.sh/),
  ferry('What happens to copied files when I cancel a transfer?', /stay where they are/),
  ferry('How can I be told when a transfer has ended?', /notify_url/),
  lamp('Does the Lumo lamp need the app?', /only needed for schedules|A tap on the base/),
  lamp('Why is my lamp flickering?', /plugged in/),
  lamp('How long does charging take?', /two and a half hours/),
  lamp('Is Lumo waterproof?', /splashes/),
  lamp('How do I factory reset Lumo?', /twelve seconds/),
  lamp('What comes with the lamp?', /wall mount/),
  lamp('Where are the batteries of Lumo from?', /South Korea/),
  lamp('How do I order spare parts for the lamp?', /parts@lumo/),
  plans('How much does the Team plan cost?', /\$29/),
  plans('Which plans have single sign-on?', /Business[\s\S]*Enterprise/),
  plans('How much storage does Business include?', /2 TB/),
  plans('How fast does support respond on the Business plan?', /4 hours/),
  stations('How high is the Sattelhorn station?', /2410/),
  stations('Who is the keeper of Oberkessel?', /Luc Favre/),
  stations('When was the Weiler station opened?', /2006/),
  stations('How often are weather readings published?', /ten minutes/),
  stations('How do you get to Sattelhorn in winter?', /helicopter/),
  returns('How long do I have to return an item to Northwind?', /60 days/),
  returns('Who pays for shipping a return from Canada?', /12 dollars/),
  returns('When do I get my money back?', /five business days/),
  returns('How long is the guarantee on tents?', /ten years/),
  returns('Do gift cards expire?', /do not expire/),
  returns('Why do you keep my orders for six years?', /tax law/),
  returns('How do I unsubscribe from the newsletter?', /link at its end/),
  incident('Why was the booking site down?', /certificate/),
  incident('How many customers were affected by the outage?', /3,100/),
  incident('Who fixed the outage?', /Whitfield/),
  incident('How will a repetition of the incident be prevented?', /alarm/),
  statutes('Wie hoch ist der Jahresbeitrag?', /180 Euro/),
  statutes('Bis wann muss man kündigen?', /30\. September/),
  statutes('Wer ist die Vorsitzende des Vereins?', /Petersen/),
  statutes('Wie viel zahlen Studierende?', /90 Euro/),
  parley('How do I add a webhook?', /POST \/api\/webhooks|\/webhooks/),
  parley('What is Parley?', /self-hosted platform/),
  parley('Can I use single sign-on?', /OpenID|OIDC|SAML/),
  parley('Can it call a dangerous tool without asking?', /approv/i),
  parley('How do I invite a colleague?', /invit/i),
  parley('How do I upgrade to a new version?', /npm|image|parley/),
  parley('Can I run it on Postgres?', /DATABASE_URL|postgres/i),
  parley('How do I reset a forgotten password?', /password/),
  parley('What is the difference between a RAG tool and a retrieval tool?', /several sources|generation|answer/),
  parley('How can I test an agent before a release?', /evaluation/i),
  parley('How do I put the chat on my website?', /embed|<script/),
  parley('Which scopes or roles are there?', /viewer|editor|owner/),
  parley('How do I limit spending?', /budget|threshold/i),
  parley('Does it support MCP servers?', /MCP/),
  parley('How do I search my own website?', /web|sitemap|pages/),
  parley('What does error 429 mean?', /rate|requests/i),
  parley('Where do I see what an agent did?', /trace|audit|runs|steps|conversation/i),
  parley('How is an agent version published?', /version|publish|label/i),
]

const unanswerable: Question[] = [
  invoice('What is the bank account number of Harbor Office Supply?'),
  invoice('What colour is the desk lamp shade?'),
  membership('What is the e-mail address of Tomas?'),
  membership('How old is Tomas Halvorsen?'),
  handbook('What is the salary of a senior engineer?'),
  handbook('Is there a company car?'),
  handbook('How high is the pension contribution?'),
  ferry('Does Ferry have a Python library?'),
  ferry('In which year was Ferry founded?'),
  lamp('How much does the Lumo lamp weigh?'),
  lamp('Which Bluetooth version does Lumo use?'),
  plans('Is there a discount for universities?'),
  stations('What is the average wind speed at Brunn?'),
  returns('What are the opening hours of Northwind in Boston?'),
  incident('How much revenue did the outage cost?'),
  statutes('Wie viele Boote hat der Verein?'),
  parley('Who is the president of France?'),
  parley('How do I bake sourdough bread?'),
  parley('Which stocks should I buy?'),
  parley('Can Parley send a fax?'),
  parley('What is the share price of Parley?'),
  parley('How tall is the Eiffel Tower?'),
]

/**
 * Questions written before the rules of the local model were made. Every second one was held out until the rules were
 * done, so that the total of these is a fair measure.
 */
export const freshQuestions: Question[] = [...answerable, ...unanswerable]
