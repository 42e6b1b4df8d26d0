export interface Question {
  ask: string
  /** The agent that is asked: over Parley's documents, or over those in `documents/`. */
  of: 'parley' | 'foreign'
  /** Matches a correct answer. Null if the documents do not answer the question. */
  fact: RegExp | null
}

const parley = (ask: string, fact: RegExp | null): Question => ({ ask, of: 'parley', fact })
const foreign = (ask: string, fact: RegExp | null): Question => ({ ask, of: 'foreign', fact })

/**
 * The answers to every third question were never looked at while the model was tuned, only their total: its score shows
 * roughly how well the model answers questions it was not tuned for.
 */
export const isHeldOut = (index: number): boolean => index % 3 === 2

export const questions: Question[] = [
  parley('What is Parley?', /self-hosted platform/),
  parley('How do I start Parley?', /npm start/),
  parley('How do I connect a language model?', /POST \/api\/models/),
  parley('How do I give an agent knowledge?', /knowledge source/),
  parley('Which environment variable sets the port?', /PORT/),
  parley('How do I make a backup?', /parley backup/),
  parley('How are webhooks signed?', /Standard Webhooks|HMAC/),
  parley('How often is a webhook delivery retried?', /5 s, 5 min|24 h/),
  parley('What happens when a budget is exceeded?', /budget_exceeded|refuse|block/),
  parley('Where is all the data stored?', /folder `?data|DATA_DIR/),
  parley('Which file formats can I upload?', /PDF, Word/),
  parley('How large may an uploaded file be?', /50 MiB|max_file_size/),
  parley('Can I stop a reply that is being written?', /cancel/),
  parley('What happens if the process crashes during a reply?', /interrupted|survive a crash|new reply/),
  parley('How are provider keys encrypted?', /AES-256-GCM/),
  parley('Does Parley support OpenTelemetry?', /OTLP|OpenTelemetry|endpoint is set/),
  parley('How do I use the official OpenAI client with an agent?', /openai\/v1|base URL/),
  parley('What is a retrieval tool?', /several sources|passages/),
  parley('Who may approve a tool call?', /Everyone|may write in the conversation|a person/),
  parley('How do I create an agent?', /POST \/api\/agents/),
  foreign('How many days of holiday does an employee have?', /28 days/),
  foreign('When does the library close on Saturdays?', /at four/),
  foreign('From which day is a doctor’s certificate required?', /fourth day/),
  foreign('Who answers questions about pay?', /Ruth Okafor/),
  foreign('How long does probation last?', /six months/),
  foreign('How much does the library pay for a chair and a second screen?', /400 euros/),
  foreign('How often should I descale the machine?', /every three months/),
  foreign('What does it mean when the red lamp blinks?', /tank is empty/),
  foreign('May I use vinegar for descaling?', /Never use vinegar/),
  foreign('How long is the warranty?', /two years/),
  foreign('How do sea otters stay warm?', /fur/),
  foreign('How much does a sea otter eat every day?', /quarter of its own weight/),
  foreign('Who introduced the term keystone species?', /Paine/),
  foreign('How high is the deposit?', /1,400 pounds/),
  foreign('Which repairs does the landlord pay for?', /roof/),
  foreign('May the tenant keep a dog in the studio?', /consent/),
  foreign('How often does courier repeat a failed GET request?', /three times/),
  foreign('Which Python version does courier need?', /3\.9/),
  foreign('Wann wird der Müll abgeholt?', /Donnerstag/),
  foreign('Wo darf ich mein Fahrrad abstellen?', /Keller/),
  parley('What is the meaning of life?', null),
  parley('Who won the football World Cup in 2014?', null),
  parley('What is the capital of Australia?', null),
  parley('How do I bake a sourdough bread?', null),
  parley('Which colour should I paint my kitchen?', null),
  parley('What is the weather like in Berlin tomorrow?', null),
  parley('How much does a licence of Parley cost per seat?', null),
  parley('Can Parley transcribe phone calls?', null),
  parley('Who founded the company behind Parley?', null),
  parley('Does Parley run on an iPhone?', null),
  parley('How do I train my own language model with Parley?', null),
  parley('Which stocks should I buy?', null),
  foreign('What is the salary of a librarian?', null),
  foreign('How many readers visit the library each year?', null),
  foreign('What does the espresso machine cost?', null),
  foreign('How long do sea otters live?', null),
  foreign('Does courier support HTTP/3?', null),
  foreign('What is the phone number of the landlord?', null),
  foreign('Who wrote the novel Moby Dick?', null),
  foreign('Wie hoch ist die Miete für einen Parkplatz?', null),
]
