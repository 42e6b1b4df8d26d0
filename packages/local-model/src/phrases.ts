import { detectLanguageName } from '@parley/search/analyse'
import { detectLanguage } from './text/language.ts'

interface Phrases {
  nothingFound: string
  closest: string
  stillIndexing: string
  toolAnswered(tools: string): string
}

const english: Phrases = {
  nothingFound: 'Nothing was found that could answer this question.',
  closest: 'Closest passages:',
  stillIndexing: 'The documents are still being read: ask again in a moment.',
  toolAnswered: (tools) => `The answer of ${tools}:`,
}

/** By the names that the analysis of searches gives to languages, and by script. */
const translations: ReadonlyMap<string, Phrases> = new Map(
  Object.entries({
    german: {
      nothingFound: 'Es wurde nichts gefunden, was diese Frage beantworten könnte.',
      closest: 'Am nächsten kommende Stellen:',
      stillIndexing: 'Die Dokumente werden noch gelesen: Fragen Sie gleich noch einmal.',
      toolAnswered: (tools: string) => `Die Antwort von ${tools}:`,
    },
    french: {
      nothingFound: 'Rien n’a été trouvé qui puisse répondre à cette question.',
      closest: 'Passages les plus proches :',
      stillIndexing: 'Les documents sont encore en cours de lecture : reposez la question dans un instant.',
      toolAnswered: (tools: string) => `La réponse de ${tools} :`,
    },
    spanish: {
      nothingFound: 'No se ha encontrado nada que pueda responder a esta pregunta.',
      closest: 'Pasajes más cercanos:',
      stillIndexing: 'Los documentos todavía se están leyendo: vuelva a preguntar en un momento.',
      toolAnswered: (tools: string) => `La respuesta de ${tools}:`,
    },
    italian: {
      nothingFound: 'Non è stato trovato nulla che possa rispondere a questa domanda.',
      closest: 'Passaggi più vicini:',
      stillIndexing: 'I documenti sono ancora in lettura: riprova tra un momento.',
      toolAnswered: (tools: string) => `La risposta di ${tools}:`,
    },
    portuguese: {
      nothingFound: 'Não foi encontrado nada que possa responder a esta pergunta.',
      closest: 'Trechos mais próximos:',
      stillIndexing: 'Os documentos ainda estão sendo lidos: pergunte de novo daqui a pouco.',
      toolAnswered: (tools: string) => `A resposta de ${tools}:`,
    },
    dutch: {
      nothingFound: 'Er is niets gevonden dat deze vraag kan beantwoorden.',
      closest: 'Passages die het dichtst in de buurt komen:',
      stillIndexing: 'De documenten worden nog gelezen: vraag het zo meteen opnieuw.',
      toolAnswered: (tools: string) => `Het antwoord van ${tools}:`,
    },
    swedish: {
      nothingFound: 'Inget hittades som kan besvara den här frågan.',
      closest: 'Närmaste avsnitt:',
      stillIndexing: 'Dokumenten läses fortfarande in: fråga igen om en stund.',
      toolAnswered: (tools: string) => `Svaret från ${tools}:`,
    },
    danish: {
      nothingFound: 'Der blev ikke fundet noget, der kan besvare dette spørgsmål.',
      closest: 'Nærmeste afsnit:',
      stillIndexing: 'Dokumenterne læses stadig: spørg igen om et øjeblik.',
      toolAnswered: (tools: string) => `Svaret fra ${tools}:`,
    },
    norwegian: {
      nothingFound: 'Det ble ikke funnet noe som kan besvare dette spørsmålet.',
      closest: 'Nærmeste avsnitt:',
      stillIndexing: 'Dokumentene leses fortsatt: spør igjen om et øyeblikk.',
      toolAnswered: (tools: string) => `Svaret fra ${tools}:`,
    },
    finnish: {
      nothingFound: 'Mitään tähän kysymykseen vastaavaa ei löytynyt.',
      closest: 'Lähimmät kohdat:',
      stillIndexing: 'Asiakirjoja luetaan vielä: kysy hetken kuluttua uudelleen.',
      toolAnswered: (tools: string) => `Vastaus työkalulta ${tools}:`,
    },
    russian: {
      nothingFound: 'Не найдено ничего, что могло бы ответить на этот вопрос.',
      closest: 'Ближайшие фрагменты:',
      stillIndexing: 'Документы ещё читаются: спросите снова чуть позже.',
      toolAnswered: (tools: string) => `Ответ ${tools}:`,
    },
    romanian: {
      nothingFound: 'Nu s-a găsit nimic care ar putea răspunde la această întrebare.',
      closest: 'Cele mai apropiate pasaje:',
      stillIndexing: 'Documentele sunt încă în curs de citire: întrebați din nou peste puțin timp.',
      toolAnswered: (tools: string) => `Răspunsul de la ${tools}:`,
    },
    hungarian: {
      nothingFound: 'Semmi olyat nem találtam, ami megválaszolná ezt a kérdést.',
      closest: 'A legközelebbi részletek:',
      stillIndexing: 'A dokumentumok beolvasása még tart: kérdezzen újra egy pillanat múlva.',
      toolAnswered: (tools: string) => `${tools} válasza:`,
    },
    turkish: {
      nothingFound: 'Bu soruyu yanıtlayabilecek hiçbir şey bulunamadı.',
      closest: 'En yakın bölümler:',
      stillIndexing: 'Belgeler hâlâ okunuyor: biraz sonra yeniden sorun.',
      toolAnswered: (tools: string) => `${tools} yanıtı:`,
    },
    japanese: {
      nothingFound: 'この質問に答えられるものは見つかりませんでした。',
      closest: '最も近い箇所：',
      stillIndexing: '文書はまだ読み込み中です。少し後にもう一度お尋ねください。',
      toolAnswered: (tools: string) => `${tools} の回答：`,
    },
    korean: {
      nothingFound: '이 질문에 답할 수 있는 내용을 찾지 못했습니다.',
      closest: '가장 가까운 구절:',
      stillIndexing: '문서를 아직 읽는 중입니다. 잠시 후 다시 질문해 주세요.',
      toolAnswered: (tools: string) => `${tools}의 답변:`,
    },
    chinese: {
      nothingFound: '没有找到可以回答这个问题的内容。',
      closest: '最接近的段落：',
      stillIndexing: '文档仍在读取中，请稍后再问。',
      toolAnswered: (tools: string) => `${tools} 的回答：`,
    },
    arabic: {
      nothingFound: 'لم يُعثر على ما يمكن أن يجيب عن هذا السؤال.',
      closest: 'أقرب المقاطع:',
      stillIndexing: 'لا تزال المستندات قيد القراءة: أعد السؤال بعد لحظة.',
      toolAnswered: (tools: string) => `إجابة ${tools}:`,
    },
  }),
)

/** The most specific script first: Japanese is written with Chinese characters too. */
const scripts: [string, RegExp][] = [
  ['japanese', /[\p{sc=Hiragana}\p{sc=Katakana}]/u],
  ['korean', /\p{sc=Hangul}/u],
  ['chinese', /\p{sc=Han}/u],
  ['arabic', /\p{sc=Arabic}/u],
]

const maxLength = 2000

/** The sentences of an answer that are not quotations, in the language of the question; in English if it is not known. */
export function phrases(question: string): Phrases {
  const text = question.slice(0, maxLength)
  const language =
    detectLanguageName(text) ?? scripts.find(([, script]) => script.test(text))?.[0] ?? detectLanguage(text)
  return translations.get(language) ?? english
}
