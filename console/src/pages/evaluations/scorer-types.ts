import type { Scorer } from './draft.ts'
import type { TargetType } from './target.tsx'

/** A setting of a scorer and its form control. */
export interface Setting {
  name: string
  label: string
  hint?: string | undefined
  control: 'check' | 'text' | 'textarea' | 'number' | 'tags' | 'choice' | 'model' | 'json'
  options?: readonly { value: string; label: string }[]
  required?: boolean
  /** The value if none is set. */
  defaultValue?: boolean | string | number
}

interface ScorerType {
  label: string
  hint: string
  /** The score a case needs to pass by default. */
  defaultThreshold: string
  /** The target types it works with. Default: all. */
  targets?: readonly TargetType[]
  settings: readonly Setting[]
}

const textOptions: readonly Setting[] = [
  { name: 'ignore_case', label: 'Ignore case', control: 'check', defaultValue: false },
  { name: 'ignore_whitespace', label: 'Ignore whitespace', control: 'check', defaultValue: false },
]

export const scorerTypes: Record<Scorer['type'], ScorerType> = {
  similarity: {
    label: 'Similarity',
    hint: 'Has the same meaning as the expected answer.',
    defaultThreshold: '0.65',
    settings: [],
  },
  exact_match: {
    label: 'Exact match',
    hint: 'Equals the expected answer exactly.',
    defaultThreshold: '1',
    settings: [...textOptions, { name: 'trim', label: 'Trim whitespace', control: 'check', defaultValue: true }],
  },
  contains: {
    label: 'Contains',
    hint: 'Contains the expected answer or given words.',
    defaultThreshold: '1',
    settings: [
      { name: 'values', label: 'Words', control: 'tags', hint: 'Empty: the expected answer of each case.' },
      {
        name: 'mode',
        label: 'Match',
        control: 'choice',
        defaultValue: 'all',
        options: [
          { value: 'all', label: 'All' },
          { value: 'any', label: 'Any' },
        ],
      },
      ...textOptions,
    ],
  },
  regex: {
    label: 'Regular expression',
    hint: 'Matches a pattern.',
    defaultThreshold: '1',
    settings: [
      { name: 'pattern', label: 'Pattern', control: 'text', hint: 'Empty: the expected answer of each case.' },
      { name: 'flags', label: 'Flags', control: 'text', hint: 'Any of i, m, s, u.' },
    ],
  },
  json_schema: {
    label: 'JSON schema',
    hint: 'The JSON in the answer follows a schema.',
    defaultThreshold: '1',
    settings: [{ name: 'schema', label: 'Schema', control: 'json', required: true }],
  },
  json_match: {
    label: 'JSON match',
    hint: 'Contains the expected JSON, in any key order and spacing.',
    defaultThreshold: '1',
    settings: [{ name: 'subset', label: 'Allow extra fields', control: 'check', defaultValue: false }],
  },
  llm_judge: {
    label: 'LLM judge',
    hint: 'A model grades the answer by your rubric. Adds one model call per case.',
    defaultThreshold: '0.7',
    settings: [
      {
        name: 'rubric',
        label: 'Rubric',
        control: 'textarea',
        required: true,
        hint: 'Describe a good answer.',
      },
      { name: 'model_id', label: 'Judge', control: 'model' },
    ],
  },
  tool_called: {
    label: 'Tool called',
    hint: 'The agent used a tool.',
    defaultThreshold: '1',
    targets: ['agent'],
    settings: [
      { name: 'tool', label: 'Tool', control: 'text', hint: 'Name or ID. Empty: taken from the expected answer.' },
      { name: 'arguments', label: 'Arguments', control: 'json', hint: 'JSON object that the call must contain.' },
    ],
  },
  retrieval_hit: {
    label: 'Retrieval hit',
    hint: 'Finds the right passage. A higher rank scores better.',
    defaultThreshold: '1 ÷ results',
    targets: ['agent', 'rag_tool', 'retrieval_tool'],
    settings: [
      { name: 'k', label: 'Top results', control: 'number', defaultValue: 10, hint: 'How many results to check.' },
    ],
  },
  latency: {
    label: 'Latency',
    hint: 'Answers within a time limit.',
    defaultThreshold: '1',
    settings: [{ name: 'max_ms', label: 'Max latency (ms)', control: 'number', required: true }],
  },
  cost: {
    label: 'Cost',
    hint: 'Answers within a cost limit.',
    defaultThreshold: '1',
    settings: [{ name: 'max_usd', label: 'Max cost (USD)', control: 'number', required: true }],
  },
}

/** The initial config of scorers with required settings. */
export const initialConfigs: Partial<Record<Scorer['type'], Record<string, unknown>>> = {
  llm_judge: { rubric: 'The answer is correct, complete and polite.' },
  latency: { max_ms: 5000 },
  cost: { max_usd: 0.01 },
}

export const supports = (scorer: Scorer['type'], target: TargetType): boolean =>
  scorerTypes[scorer].targets?.includes(target) ?? true
