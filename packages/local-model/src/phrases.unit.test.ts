import { expect, it } from 'vitest'
import { answerFrom } from './answer.ts'
import { phrases } from './phrases.ts'

it.each([
  ['How much does it cost?', 'do not answer'],
  ['Wie viel kostet das Buch?', 'beantworten diese Frage nicht'],
  ['Où se trouve la gare ?', 'ne répondent pas'],
  ['¿Cuánto cuesta una licencia?', 'no responden'],
  ['Quanto costa una licenza di prova?', 'non rispondono'],
  ['Quanto custa uma licença para você?', 'não respondem'],
  ['Hoeveel kost een licentie van het boek?', 'beantwoorden deze vraag niet'],
  ['Vad kostar en licens för boken?', 'besvarar inte'],
  ['Hvad koster en licens til bogen?', 'besvarer ikke dette spørgsmål'],
  ['Hva koster en lisens, og hvor får jeg den?', 'besvarer ikke dette spørsmålet'],
  ['Kuinka paljon lisenssi maksaa?', 'eivät vastaa'],
  ['Сколько стоит лицензия на книгу?', 'не отвечают'],
  ['Cât costă o licență pentru carte?', 'nu răspund'],
  ['Mennyibe kerül egy licenc?', 'nem válaszolják'],
  ['Bir lisans ne kadar?', 'yanıtlamıyor'],
  ['ライセンスはいくらですか？', '答えていません'],
  ['라이선스는 얼마인가요?', '답하지 않습니다'],
  ['许可证多少钱？', '没有回答'],
  ['كم تكلفة الترخيص؟', 'لا تجيب'],
  ['42?', 'do not answer'],
])('a refusal is in the language of the question: %s', (question, refusal) => {
  expect(phrases(question).notAnswered).toContain(refusal)
})

it('documents in another language do not change the language of a refusal', async () => {
  const { text } = await answerFrom('¿Cuánto cuesta una licencia?', [{ content: 'The lamp is red and warm.' }])
  expect(text).toBe('Los pasajes encontrados no responden a esta pregunta.')
})
