import type { Scorer } from './draft.ts'
import type { TargetType } from './target.tsx'

/** A setting of a scorer, and the control it is set with. */
export interface Setting {
  name: string
  label: string
  hint?: string
  control: 'check' | 'text' | 'long' | 'number' | 'words' | 'choice' | 'model' | 'json'
  options?: readonly { value: string; label: string }[]
  required?: boolean
  /** What it is where nothing is chosen. */
  usual?: boolean | string | number
}

interface ScorerKind {
  label: string
  hint: string
  /** The score from which a case passes where nothing else is said. */
  usualThreshold: string
  /** Left out: it suits everything. */
  suits?: readonly TargetType[]
  settings: readonly Setting[]
}

const reading: readonly Setting[] = [
  { name: 'ignore_case', label: 'Ignore capitals', control: 'check', usual: false },
  { name: 'ignore_whitespace', label: 'Ignore white space', control: 'check', usual: false },
]

export const scorerKinds: Record<Scorer['type'], ScorerKind> = {
  similarity: {
    label: 'Similarity',
    hint: 'Means the same as the expected answer, whatever the words.',
    usualThreshold: '0.65',
    settings: [],
  },
  exact_match: {
    label: 'Exact match',
    hint: 'Is the expected answer, letter for letter.',
    usualThreshold: '1',
    settings: [...reading, { name: 'trim', label: 'Ignore space at both ends', control: 'check', usual: true }],
  },
  contains: {
    label: 'Contains',
    hint: 'Has the expected answer, or certain words, in it.',
    usualThreshold: '1',
    settings: [
      { name: 'values', label: 'Words', control: 'words', hint: 'None: the expected answer of each case.' },
      {
        name: 'mode',
        label: 'How many of them',
        control: 'choice',
        usual: 'all',
        options: [
          { value: 'all', label: 'All' },
          { value: 'any', label: 'Any' },
        ],
      },
      ...reading,
    ],
  },
  regex: {
    label: 'Regular expression',
    hint: 'Fits a pattern.',
    usualThreshold: '1',
    settings: [
      { name: 'pattern', label: 'Pattern', control: 'text', hint: 'Empty: the expected answer of each case.' },
      { name: 'flags', label: 'Flags', control: 'text', hint: 'Any of i, m, s, u.' },
    ],
  },
  json_match: {
    label: 'JSON match',
    hint: 'Has the expected JSON in it, in whatever order and spacing.',
    usualThreshold: '1',
    settings: [{ name: 'subset', label: 'May have more fields', control: 'check', usual: false }],
  },
  llm_judge: {
    label: 'Judged by a model',
    hint: 'Another model grades the answer by your rubric. It costs a call for every case.',
    usualThreshold: '0.7',
    settings: [
      {
        name: 'rubric',
        label: 'Rubric',
        control: 'long',
        required: true,
        hint: 'What a good answer is, in your words.',
      },
      { name: 'model_id', label: 'Judge', control: 'model' },
    ],
  },
  tool_called: {
    label: 'Tool called',
    hint: 'The agent used a tool.',
    usualThreshold: '1',
    suits: ['agent'],
    settings: [
      { name: 'tool', label: 'Tool', control: 'text', hint: 'Its name or id. Empty: the expected answer names it.' },
      { name: 'arguments', label: 'Arguments', control: 'json', hint: 'A JSON object that the call must have in it.' },
    ],
  },
  retrieval_hit: {
    label: 'Retrieval hit',
    hint: 'The right passage is found; the nearer to the top, the better.',
    usualThreshold: '1 ÷ results',
    suits: ['agent', 'rag_tool', 'retrieval_tool'],
    settings: [
      { name: 'k', label: 'Results that count', control: 'number', usual: 10, hint: 'How many of the first.' },
    ],
  },
  latency: {
    label: 'Latency',
    hint: 'Answers fast enough.',
    usualThreshold: '1',
    settings: [{ name: 'max_ms', label: 'At most, in milliseconds', control: 'number', required: true }],
  },
  cost: {
    label: 'Cost',
    hint: 'Answers cheaply enough.',
    usualThreshold: '1',
    settings: [{ name: 'max_usd', label: 'At most, in US dollars', control: 'number', required: true }],
  },
}

/** What a new scorer of a kind begins with, where something has to be said. */
export const beginnings: Partial<Record<Scorer['type'], Record<string, unknown>>> = {
  llm_judge: { rubric: 'The answer is correct, complete and polite.' },
  latency: { max_ms: 5000 },
  cost: { max_usd: 0.01 },
}

export const suits = (scorer: Scorer['type'], target: TargetType): boolean =>
  scorerKinds[scorer].suits?.includes(target) ?? true
