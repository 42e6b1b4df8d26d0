import { type Static, Type } from 'typebox'
import { Choice } from '../../../kernel/schema.ts'
import { CaseMetadata, count, ExpectedOutput, TestCase } from '../schema.ts'

export const ImportQuery = Type.Object(
  {
    mode: Choice(['append', 'replace'], {
      default: 'append',
      description: 'Whether to add the cases or to replace the existing ones.',
    }),
  },
  { additionalProperties: false },
)

export const csvExample = 'input,expected_output\nWhat is the capital of France?,Paris\n'

export const ImportBody = Type.Object(
  {
    format: Choice(['csv', 'jsonl'], { description: 'CSV with a header, or one JSON object per line.' }),
    content: Type.String({ minLength: 1, description: 'The text of the file.' }),
  },
  {
    additionalProperties: false,
    title: 'ImportTestCases',
    examples: [{ format: 'csv', content: csvExample }],
  },
)

export const Imported = Type.Object(
  { imported: count(), test_case_count: count() },
  { title: 'ImportedTestCases', examples: [{ imported: 1, test_case_count: 21 }] },
)

export const FromMessageBody = Type.Object(
  {
    conversation_id: Type.String({ minLength: 1, maxLength: 200, description: 'The conversation of the message.' }),
    message_id: Type.String({ minLength: 1, maxLength: 200, description: 'A question, or the reply to it.' }),
    expected_output: Type.Optional({ ...ExpectedOutput, description: 'Default: the reply.' }),
    metadata: Type.Optional(CaseMetadata),
  },
  {
    additionalProperties: false,
    title: 'TestCaseFromMessage',
    required: ['conversation_id', 'message_id'],
    examples: [{ conversation_id: 'cnv_01k9z8q4m6e3v7t2w5x8y1a4bc', message_id: 'msg_01k9z8q4m6e3v7t2w5x8y1a4bc' }],
  },
)
export type FromMessageBody = Static<typeof FromMessageBody>

export const AddedCase = Type.Object(
  { case: count('Its index in `test_cases`.'), ...TestCase.properties, test_case_count: count() },
  {
    title: 'AddedTestCase',
    examples: [{ case: 20, expected_output: 'Three to five working days.', test_case_count: 21 }],
  },
)
