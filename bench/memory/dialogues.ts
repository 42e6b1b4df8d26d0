import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A long dialogue: what was said, each turn with an id, and questions with the turns that answer them. */
export interface Dialogue {
  turns: { id: string; text: string }[]
  questions: { text: string; evidence: string[] }[]
}

interface Sample {
  qa: { question: string; evidence?: string[]; category: number }[]
  conversation: Record<string, unknown>
}
type Turn = { speaker: string; dia_id: string; text: string }

/** Questions of this category have no answer in the dialogue. */
const adversarial = 5

/** The dialogues of all JSON files in a folder, in the format of LoCoMo. */
export function readDialogues(folder: string): Dialogue[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.flatMap((name) => {
    const content = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Sample | Sample[]
    return (Array.isArray(content) ? content : [content]).map(toDialogue)
  })
}

function toDialogue({ qa, conversation }: Sample): Dialogue {
  const sessions = Object.entries(conversation).filter(([name, value]) => /^session_\d+$/.test(name) && value !== null)
  const turns = sessions.flatMap(([, session]) =>
    (session as Turn[]).map(({ speaker, dia_id, text }) => ({ id: dia_id, text: `${speaker}: ${text}` })),
  )
  const known = new Set(turns.map(({ id }) => id))
  const questions = qa
    .filter(({ category }) => category !== adversarial)
    // Some entries have several ids in one text.
    .map(({ question, evidence = [] }) => ({
      text: question,
      evidence: evidence.flatMap((each) => each.match(/D\d+:\d+/g) ?? []).filter((id) => known.has(id)),
    }))
    .filter(({ evidence }) => evidence.length > 0)
  return { turns, questions }
}

const people = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gia', 'Hugo']
const cities = ['Bern', 'Oslo', 'Porto', 'Ghent', 'Turin', 'Graz', 'Lyon', 'Cork', 'Riga', 'Split']
const topics = [
  {
    say: (name: string, place: string) =>
      `I finally adopted a cat from the shelter in ${place}, she is called ${name}.`,
    ask: (place: string) => `Which pet was taken in from the animal home of ${place}?`,
  },
  {
    say: (name: string, place: string) => `My cousin ${name} got a job as a nurse at the hospital of ${place}.`,
    ask: (place: string) => `Who works in health care in ${place}?`,
  },
  {
    say: (name: string, place: string) => `We spent the summer holidays in ${place} with ${name}, it rained all week.`,
    ask: (place: string) => `How was the weather on vacation in ${place}?`,
  },
  {
    say: (name: string, place: string) => `${name} and I signed up for a pottery course near ${place}.`,
    ask: (place: string) => `Which class about ceramics is close to ${place}?`,
  },
]
const chatter = [
  'That sounds great, tell me more about it!',
  'I know what you mean, it has been a long week here, too.',
  'Did you watch the match last night? I missed the end.',
  'The weather is lovely today, I might go for a walk.',
]

/** A small set in the same shape, made up: its questions use other words than the turns that answer them. */
export function generatedDialogues(): Dialogue[] {
  const turns: Dialogue['turns'] = []
  const questions: Dialogue['questions'] = []
  for (const [c, city] of cities.entries())
    for (const [t, { say, ask }] of topics.entries()) {
      const at = c * topics.length + t
      const name = people[at % people.length] ?? ''
      turns.push({ id: `D${at}:1`, text: `Ada: ${say(name, city)}` })
      questions.push({ text: ask(city), evidence: [`D${at}:1`] })
      for (const [n, text] of chatter.entries()) turns.push({ id: `D${at}:${n + 2}`, text: `Ben: ${text} (${at})` })
    }
  return [{ turns, questions }]
}
