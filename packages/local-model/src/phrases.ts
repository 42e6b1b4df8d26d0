import type { Language } from './text/language.ts'

export interface Phrases {
  greeting: string
  welcome: string
  whatIAm: string
  howToConnect: string
  noToolFits: string
  nothingFound: string
  stillReading: string
  notAnswered: string
  toolAnswered(tools: string): string
}

const english: Phrases = {
  greeting: 'Hello!',
  welcome: 'You are welcome.',
  whatIAm:
    "I am Parley's built-in extractive model: I quote sentences that answer a question from connected knowledge and call tools that fit it, but I do not converse.",
  howToConnect:
    'For free conversation, connect a language model on the Models page or with POST /api/models and choose it for this agent.',
  noToolFits: "None of this agent's tools fits what you wrote.",
  nothingFound: 'Nothing was found that could answer this question.',
  stillReading: 'The documents are still being read: ask again in a moment.',
  notAnswered: 'The passages that were found do not answer this question.',
  toolAnswered: (tools) => `The answer of ${tools}:`,
}

const german: Phrases = {
  greeting: 'Guten Tag!',
  welcome: 'Gern geschehen.',
  whatIAm:
    'Ich bin das eingebaute extraktive Modell von Parley: Ich zitiere Sätze aus angebundenem Wissen, die eine Frage beantworten, und rufe passende Werkzeuge auf, führe aber keine freien Gespräche.',
  howToConnect:
    'Für freie Gespräche verbinden Sie ein Sprachmodell auf der Seite „Models“ oder mit POST /api/models und wählen es für diesen Agenten aus.',
  noToolFits: 'Keines der Werkzeuge dieses Agenten passt zu Ihrer Nachricht.',
  nothingFound: 'Es wurde nichts gefunden, was diese Frage beantworten könnte.',
  stillReading: 'Die Dokumente werden noch gelesen: Fragen Sie gleich noch einmal.',
  notAnswered: 'Die gefundenen Stellen beantworten diese Frage nicht.',
  toolAnswered: (tools) => `Die Antwort von ${tools}:`,
}

/** The sentences that are not quotations. */
export const phrases = (language: Language): Phrases => (language === 'german' ? german : english)
