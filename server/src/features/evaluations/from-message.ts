import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { MessageRow } from '../conversations/message-row.ts'
import { exchangeAround } from '../conversations/service.ts'
import { type FromMessageBody, longestText, type TestCase } from './schema.ts'
import { addCases } from './service.ts'

/** Makes a test case of a question that was really asked, with the answer that was given or a better one. */
export async function addFromMessage(ctx: Context, who: Caller, id: string, body: FromMessageBody) {
  const { question, reply } = await exchangeAround(ctx, who, body.conversation_id, body.message_id)
  if (!question) invalid('message_id', 'has no question before it to make a test case of')
  if (question.content === '' || question.content.length > longestText) {
    invalid('message_id', `is of a question that is empty or longer than ${longestText} characters`)
  }
  const testCase: TestCase = {
    input: question.content,
    expected_output: body.expected_output ?? answerOf(reply),
    metadata: { conversation_id: body.conversation_id, message_id: body.message_id, ...body.metadata },
  }
  const row = await addCases(ctx, who, id, [testCase], 'append')
  return { case: row.test_case_count - 1, ...testCase, test_case_count: row.test_case_count }
}

const answerOf = (reply: MessageRow | undefined): string | null =>
  reply?.status === 'completed' && reply.content !== '' ? reply.content.slice(0, longestText).toWellFormed() : null
