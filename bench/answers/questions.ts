/** A question about real documents, or about our own. */
export interface Question {
  ask: string
  /** The documents of the bench data, those of Parley, or those in `documents/`. */
  of: 'documents' | 'parley' | 'office'
  /** The name of the document that answers. */
  document: string
  /** Matches a useful reply. Null if the documents do not answer the question. */
  fact: RegExp | null
}

/** The replies to every second question were never looked at while the model was tuned, only their total. */
export const isHeldOut = (index: number): boolean => index % 2 === 1

const about =
  (of: Question['of']) =>
  (document: string) =>
  (ask: string, fact: RegExp | null = null): Question => ({ ask, of, document, fact })

const amd = about('documents')('AMD_2017_10K.pdf')
const segments = about('documents')('2023-half-year-analyses-by-segment.xlsx')
const microsoft = about('documents')('md_test_wikipedia.html')
const inventory = about('documents')('md_SPARSE-2024-INV-1234_borderless_table.pdf')
const autogen = about('documents')('md_test.docx')
const tuning = about('documents')('md_test_blog.html')
const passageRetrieval = about('documents')('multi-column-2p.pdf')
const layoutParser = about('documents')('copy-protected.pdf')
const modelZoo = about('documents')('layout-parser-paper-with-table.pdf')
const codes = about('documents')('science-exploration-1p.pptx')
const trustee = about('documents')('handbook-872p.docx')
const winter = about('documents')('winter-sports.epub')
const codex = about('documents')('DA-619p.pdf')
const topology = about('documents')('GeoTopo.pdf')
const korean = about('documents')('korean-text-with-tables.pdf')
const japanese = about('documents')('md_test_mskanji.csv')
const parley = about('parley')

const answerable: Question[] = [
  // Numbers and years, in tables and reports of several periods.
  amd('What was the net revenue of AMD?', /5,329|5\.33 billion/),
  amd('How much net revenue did AMD have in 2015?', /3,991|3\.99 billion/),
  amd('What was AMD’s gross margin percentage?', /34 ?%/),
  amd('What was the gross margin percentage of AMD in 2016?', /23 ?%/),
  amd('How many employees does AMD have?', /8,900/),
  amd('How much cash and cash equivalents did AMD hold at the end of the year?', /1,185|1\.2 billion/),
  amd('How much did AMD spend on research and development in 2017?', /\$?1\.2 billion|1,160/),
  amd('What were the total assets of AMD?', /3,540/),
  amd('What was the highest share price of AMD in the quarter ended April 1, 2017?', /15\.55/),
  amd('Which share of net revenue did Customer A account for in 2017?', /23 ?%/),
  amd('What was the net revenue of the Computing and Graphics segment?', /3,029|3\.0 billion/),
  amd('How many square feet does AMD lease?', /2\.42 million/),
  segments('What were the sales of Nespresso?', /3,128/),
  segments('What were the sales of Zone LATAM in 2022?', /5,659/),
  segments('What was the trading operating profit of Zone Europe (EUR) from January to June 2023?', /1,373/),
  segments('How much did PetCare sell in January to June 2023?', /9,373/),
  segments('What are the total sales of all operating segments?', /46,293/),
  segments('What were the sales of Confectionery in the first half of 2022?', /3,595/),
  microsoft('How many employees did Microsoft have in 2012?', /94,000/),
  microsoft('What was the revenue of Microsoft in 2019?', /125,843/),
  microsoft('What percentage of Microsoft does The Vanguard Group own?', /8\.9/),
  microsoft('How many people did Microsoft lay off in its gaming division?', /1,900/),
  microsoft('How much did Microsoft pay for Activision Blizzard?', /68\.7 billion/),
  microsoft('When was Microsoft founded?', /April 4, 1975/),
  microsoft('In which year did Paul Allen resign from Microsoft?', /1983/),
  microsoft('When did Microsoft begin to offer a dividend?', /January 16, 2003/),
  inventory('What is the unit cost of SKU-6678?', /200\.00/),
  inventory('How high is the overall accuracy of the inventory?', /97\.2/),
  inventory('When was SKU-9201 last audited?', /2024-10-22/),
  inventory('What is the total variance cost?', /4,287\.50/),
  winter('How much does the puck weigh?', /1¼ lbs/),
  winter('How far apart are the tees in curling?', /39 yards/),
  winter('How high are the goal-posts in ice-hockey?', /4 feet high/),
  winter('At what altitude does Mürren lie?', /5500/),
  winter('How long is a half of an ice-hockey game?', /20 minutes/),
  tuning('How many math competition problems does MATH consist of?', /12K/),
  tuning('What accuracy does the tuned gpt-3.5-turbo reach on level 2 algebra?', /92 ?%/),
  passageRetrieval('By how much does the dense retriever outperform BM25?', /9 ?%\s?-\s?19 ?%/),
  trustee('Within how many days may the standing trustee file a claim if the creditor does not?', /30 days/),
  trustee('When do checks of the standing trustee become void?', /90 days/),
  // People and places.
  microsoft('Who founded Microsoft?', /Bill Gates/),
  microsoft('Who is the CEO of Microsoft?', /Satya Nadella/),
  microsoft('Where is the headquarters of Microsoft?', /Redmond/),
  microsoft('Who designed the Pac-Man logo of Microsoft?', /Scott Baker/),
  amd('Where is the headquarters of AMD?', /Santa Clara/),
  inventory('Who prepared the inventory reconciliation report?', /Sarah Martinez/),
  inventory('Which warehouse is the inventory report about?', /Distribution Center East/),
  codex('What is the capital of Ferelden?', /Denerim/),
  codex('Who gave the archon a pair of rings?', /Endrin/),
  layoutParser('At which university does Melissa Dell work?', /Harvard/),
  winter('Where does the mountain railway to Villars start?', /\bBex\b/),
  codes('Which code has the Earth Sciences Division?', /610/),
  codes('Which division is Code 670?', /Heliophysics/),
  // Lists.
  winter(
    'Which three species of tobogganing are practised in Switzerland?',
    /frozen roads[\s\S]*ice-runs[\s\S]*[Bb]obsleighing/,
  ),
  microsoft('Who were the chief executives of Microsoft?', /Bill Gates[\s\S]*Steve Ballmer[\s\S]*Satya Nadella/),
  microsoft('Which committees does the board of Microsoft have?', /Audit Committee[\s\S]*Compensation Committee/),
  trustee('What is the maximum allowable compensation of a standing trustee?', /level V|five percent/),
  inventory('What are the recommendations of the inventory report?', /Immediate review of SKU-4563/),
  tuning('Between which models does AutoGen select in the experiment?', /gpt-3\.5-turbo[\s\S]*gpt-4/),
  // Definitions, yes or no, how and why.
  autogen('What is AutoGen?', /open-source framework/),
  layoutParser('What is LayoutParser?', /open-source\s+library/),
  modelZoo('Which dataset has layouts of history Japanese documents?', /HJDataset/),
  modelZoo('How many lines of code does layout detection need?', /four lines/),
  passageRetrieval('What is open-domain question answering?', /answers factoid questions/),
  winter('Is ice-hockey bad for skating?', /Most emphatically it is not|extremely good for most skaters/),
  winter('How do you turn to the right on a luge?', /right heel/),
  amd('Does AMD plan to pay dividends?', /do not have any plans|not expect to pay/),
  trustee('What should the trustee do if the debtor asserts the fifth amendment?', /proceed with the questions/),
  codex('What happens to templars who use lyrium for a long time?', /disoriented|addictive|paranoid/),
  trustee('May a standing trustee negotiate the percentage fee?', /no authority/),
  // Other languages.
  topology('Was ist ein topologischer Raum?', /Paar \(X, ?T\)|Menge X und T/),
  topology('Wann heißt ein topologischer Raum kompakt?', /offene Überdeckung/),
  topology('Wann heißt ein Raum hausdorffsch?', /je zwei Punkte/),
  topology('Was ist ein Knoten?', /geschlossene Jordankurve/),
  topology('Wie groß ist die Innenwinkelsumme eines Dreiecks in der euklidischen Ebene?', /gleich\s+π|= π/),
  korean('빅포인트의 유효기간은 몇 년인가요?', /5년/),
  korean('편의점 적립 대상은 어디인가요?', /CU, GS25/),
  japanese('髙橋淳の住所はどこですか？', /名古屋/),
  japanese('三木英子は何歳ですか？', /25/),
  // Our own documents.
  parley('operations.md')('What is the default port of Parley?', /3000/),
  parley('operations.md')('Which command makes a backup?', /parley backup/),
  parley('operations.md')('How many requests per minute may a token make?', /\b100\b/),
  parley('operations.md')('How long may a reply take by default?', /`?600`?|10 min/),
  parley('operations.md')('How do I restore a backup?', /parley restore/),
  parley('operations.md')('When are unused indexes unloaded from memory?', /15\s+minutes/),
  parley('webhooks.md')('Within how many seconds must a webhook receiver respond?', /15 seconds/),
  parley('webhooks.md')('What does 410 Gone do to a webhook?', /disables the webhook/),
  parley('webhooks.md')('After which delays is a delivery retried?', /5 s, 5 min/),
  parley('webhooks.md')('Which event is sent when a run of an evaluation has ended?', /evaluation\.finished/),
  parley('knowledge.md')('What is the default chunk size?', /\b400\b/),
  parley('knowledge.md')('How many results does a search return by default?', /top_k[\s\S]*\b5\b/),
  parley('knowledge.md')('Which search modes are there?', /hybrid[\s\S]*vector[\s\S]*keyword/),
  parley('knowledge-sources.md')('How many pages does a web source read by default?', /max_pages[^|]*100/),
  parley('knowledge-sources.md')(
    'Which types of knowledge sources are there?',
    /file[\s\S]*text[\s\S]*web|web[\s\S]*directory/,
  ),
  parley('approvals.md')('How long does a tool call wait for approval?', /1440|one day/),
  parley('approvals.md')(
    'Who decides about a tool call if approvers is null?',
    /may write in the conversation|editors and above/,
  ),
  parley('people.md')('When is an export of personal data deleted?', /24 hours/),
  parley('people.md')('What happens to the files of a person who is erased?', /deleted; one that another/),
  parley('people.md')('Can the erasure of a person be undone?', /cannot be undone/),
  parley('cli.md')('Which exit code means wrong usage?', /Exit code: 2|`?2`?[:\s].*wrong usage/),
  parley('cli.md')('How do I log in on the command line?', /parley login/),
  parley('cli.md')('What does the command doctor do?', /what is wrong/),
  parley('import.md')('How do I import an app of Dify?', /parley import dify/),
  parley('embed.md')('Which role does the token of a chat user have?', /role `?user/),
  parley('usage.md')('How is the usage estimated if a provider does not report it?', /o200k/),
  parley('usage.md')('What happens to a call that could exceed a blocking threshold?', /403|budget_exceeded/),
  parley('local-model.md')('How many sentences does the local model quote?', /one to three/),
]

const unanswerable: Question[] = [
  amd('What was the net revenue of AMD in 2021?'),
  amd('Where did the chief financial officer of AMD study?'),
  amd('What salary does the chief executive officer of AMD get?'),
  amd('How many patents does Nvidia own?'),
  segments('What were the sales of Nespresso in 2019?'),
  segments('How many people work for Nestlé?'),
  microsoft('When did Bill Gates marry?'),
  microsoft('How much does Microsoft 365 cost per month?'),
  microsoft('What was the revenue of Apple in 2022?'),
  microsoft('Who is the chief executive of Google?'),
  inventory('Who is the supplier of SKU-6678?'),
  inventory('What is the unit cost of SKU-9999?'),
  winter('How much does a hotel in Davos cost per night?'),
  winter('Who won the Olympic gold medal in curling in 2018?'),
  winter('Which ski lifts are open in Zermatt today?'),
  trustee('How do I file a patent application?'),
  trustee('What is the phone number of the United States Trustee in Boston?'),
  codex('How much does Dragon Age cost on Steam?'),
  codex('Which graphics card does Dragon Age need?'),
  tuning('What does the GPT-5 model cost?'),
  layoutParser('Which license does LayoutParser have?'),
  passageRetrieval('How many GPUs were used to train the dense retriever?'),
  codes('Who is the director of NASA?'),
  topology('Wer hat das Skript zur Topologie gedruckt?'),
  topology('Wie hoch ist die Prüfungsgebühr für die Klausur?'),
  korean('삼성카드의 연회비는 얼마인가요?'),
  japanese('山田花子は何歳ですか？'),
  microsoft('¿Cuánto cuesta una licencia de Windows 11?'),
  amd('Quel est le salaire moyen d’un ingénieur chez AMD ?'),
  parley('README.md')('How much does support for Parley cost?'),
  parley('README.md')('Does Parley have a mobile app for Android?'),
  parley('models.md')('Which model has the fewest hallucinations?'),
  parley('operations.md')('How do I install Parley on Windows XP?'),
  parley('people.md')('How do I change the profile picture of a person?'),
  parley('conversations.md')('Can Parley make phone calls?'),
  parley('security.md')('Who audited the security of Parley in 2025?'),
]

export const questions: Question[] = [...answerable, ...unanswerable]
