package dev.abacus.deploy.evaluation.learning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The answers of a simulated model to the messages of a stream, each fixed before the first is
 * asked. They are right for 93 % of the messages. Four mistakes in five follow from the text: a
 * naive Bayes classifier of words, which has seen all other messages, is surest of a wrong intent
 * there. The others are drawn at random and cannot be repeated by anybody. The same stream has the
 * same answers.
 */
final class Teacher {

  private static final double MISTAKES = 0.07;
  private static final double FOLLOWING_FROM_TEXT = 0.8;
  private static final long SEED = 77;
  private static final double SMOOTHING = 0.1;
  private static final Pattern NO_WORD = Pattern.compile("[^a-z']+");

  private final List<String> intents;
  private final Map<String, String> answers = new HashMap<>();
  private final Map<String, String> reasoned = new HashMap<>();

  private Teacher(List<String> intents) {
    this.intents = intents;
  }

  /** A mistake that follows from a text. */
  private record Confusion(int message, int intent, double margin) {}

  /** The teacher of a stream, by all of its messages. */
  static Teacher of(List<StreamMessage> messages) {
    List<String> intents =
        List.copyOf(new TreeSet<>(messages.stream().map(StreamMessage::intent).toList()));
    Teacher teacher = new Teacher(intents);
    int[] answers = messages.stream().mapToInt(one -> intents.indexOf(one.intent())).toArray();
    List<Confusion> confusions = confusions(messages, answers, intents.size());
    confusions.sort(
        Comparator.comparingDouble(Confusion::margin)
            .reversed()
            .thenComparingInt(Confusion::message));
    confusions.stream()
        .limit(Math.round(MISTAKES * FOLLOWING_FROM_TEXT * messages.size()))
        .forEach(confusion -> answers[confusion.message()] = confusion.intent());
    Random random = new Random(SEED);
    for (int i = 0; i < answers.length; i++) {
      StreamMessage message = messages.get(i);
      String said = intents.get(answers[i]);
      teacher.reasoned.put(message.id(), said);
      boolean atRandom = random.nextDouble() < MISTAKES * (1 - FOLLOWING_FROM_TEXT);
      teacher.answers.put(
          message.id(), atRandom ? intents.get(random.nextInt(intents.size())) : said);
    }
    return teacher;
  }

  private static List<Confusion> confusions(
      List<StreamMessage> messages, int[] right, int classes) {
    List<Set<String>> words = messages.stream().map(one -> words(one.text())).toList();
    Map<String, int[]> counts = new HashMap<>();
    int[] ofClass = new int[classes];
    for (int i = 0; i < right.length; i++) {
      ofClass[right[i]]++;
      for (String word : words.get(i)) {
        counts.computeIfAbsent(word, _ -> new int[classes])[right[i]]++;
      }
    }
    List<Confusion> confusions = new ArrayList<>();
    for (int i = 0; i < right.length; i++) {
      double[] scores = new double[classes];
      for (int c = 0; c < classes; c++) {
        int own = c == right[i] ? 1 : 0;
        scores[c] = Math.log(ofClass[c] - own + 1.0);
      }
      for (String word : words.get(i)) {
        int[] seen = counts.getOrDefault(word, new int[classes]);
        for (int c = 0; c < classes; c++) {
          int own = c == right[i] ? 1 : 0;
          scores[c] += Math.log((seen[c] - own + SMOOTHING) / (ofClass[c] - own + 2 * SMOOTHING));
        }
      }
      int best = 0;
      for (int c = 1; c < classes; c++) {
        best = scores[c] > scores[best] ? c : best;
      }
      if (best != right[i]) {
        confusions.add(new Confusion(i, best, scores[best] - scores[right[i]]));
      }
    }
    return confusions;
  }

  private static Set<String> words(String text) {
    Set<String> words = new TreeSet<>(Arrays.asList(NO_WORD.split(text.toLowerCase(Locale.ROOT))));
    words.remove("");
    return words;
  }

  /** All intents, sorted. */
  List<String> intents() {
    return intents;
  }

  /** What the teacher answers to a message. */
  String answer(StreamMessage message) {
    return answers.getOrDefault(message.id(), "");
  }

  /**
   * The probability that the teacher, asked anew, gives this answer: it makes its random mistakes
   * anew.
   */
  double agreement(StreamMessage message, String given) {
    double random = MISTAKES * (1 - FOLLOWING_FROM_TEXT);
    return (given.equals(reasoned.get(message.id())) ? 1 - random : 0) + random / intents.size();
  }
}
