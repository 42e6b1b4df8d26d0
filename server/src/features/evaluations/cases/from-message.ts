import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, Problem, unknownReference } from '../../../kernel/errors.ts'
import type { MessageRow } from '../../conversations/message-row.ts'
import { conversations, exchangeAround } from '../../conversations/service.ts'
import { type FromMessageBody, longestText, type TestCase } from '../schema.ts'
import { addCases, findEvaluation } from '../service.ts'

/** Makes a test case of a question that was really asked, with the answer that was given or a better one. */
export async function addFromMessage(ctx: Context, who: Caller, id: string, body: FromMessageBody) {
  const { conversation_id: conversation, message_id: message } = body
  await findEvaluation(ctx, who, id)
  await found(conversations.get(ctx, who, conversation), 'conversation_id', conversation)
  const { question, reply } = await found(exchangeAround(ctx, who, conversation, message), 'message_id', message)
  if (!question) invalid('message_id', 'has no question before it to make a test case of')
  if (question.content === '' || question.content.length > longestText) {
    invalid('message_id', `is of a question that is empty or longer than ${longestText} characters`)
  }
  const testCase: TestCase = {
    input: question.content,
    expected_output: body.expected_output ?? answerOf(reply),
    metadata: { conversation_id: conversation, message_id: message, ...body.metadata },
  }
  const row = await addCases(ctx, who, id, [testCase], 'append')
  return { case: row.test_case_count - 1, ...testCase, test_case_count: row.test_case_count }
}

/** What a body names and is not there is a mistake in the body. */
const found = <T>(looking: Promise<T>, field: string, id: string): Promise<T> =>
  looking.catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found') unknownReference(field, field.replace('_id', ''), id)
    throw error
  })

const answerOf = (reply: MessageRow | undefined): string | null =>
  reply?.status === 'completed' && reply.content !== '' ? reply.content.slice(0, longestText).toWellFormed() : null
