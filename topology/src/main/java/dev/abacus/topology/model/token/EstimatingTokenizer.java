package dev.abacus.topology.model.token;

import com.knuddels.jtokkit.api.EncodingType;

/**
 * Estimates the tokens of models whose vocabulary is unknown: the count of {@code cl100k_base},
 * multiplied by a factor for each script, with the interval of the factors of known vocabularies.
 *
 * <p>The factors are measured on the same message in 17 languages and on code, JSON and digits,
 * with the vocabularies of GPT-4o, Llama 3, Mistral 7B, Qwen 3, DeepSeek V3, Gemma 3 and Claude 2.
 * For example a Chinese text has 0.46 (DeepSeek) to 1.02 (cl100k_base) times the tokens that {@code
 * cl100k_base} counts. {@code docs/operations.md} has the table.
 */
record EstimatingTokenizer() implements Tokenizer {

  private static final Tokenizer BASE = new BytePairTokenizer(EncodingType.CL100K_BASE);

  /**
   * A group of scripts.
   *
   * @param density typical cl100k_base tokens per character; the weight of the group in mixed texts
   * @param low smallest factor
   * @param middle typical factor
   * @param high largest factor
   */
  private record Group(double density, double low, double middle, double high) {}

  /** Letters a to z and punctuation: English and code. */
  private static final Group ASCII = new Group(0.22, 0.67, 1, 1.36);

  /** Words with accented letters. The weight stands for the words around such a letter. */
  private static final Group ACCENTED = new Group(8, 0.5, 0.9, 1.6);

  private static final Group DIGITS = new Group(0.6, 0.8, 1.2, 1.7);

  /** Cyrillic, Greek, Arabic, Hebrew. */
  private static final Group ALPHABETS = new Group(0.7, 0.35, 0.75, 1.35);

  /** Chinese, Japanese, Korean. */
  private static final Group CJK = new Group(1, 0.45, 0.75, 1.2);

  /** Indic and South-East Asian scripts, emoji, everything else. */
  private static final Group OTHERS = new Group(0.95, 0.23, 0.6, 1.9);

  @Override
  public TokenCount count(String text) {
    Mixture mixture = Mixture.of(text);
    double base = BASE.count(text).tokens();
    double high = Math.min(base * mixture.high, (double) Tokenizer.maxTokens(text));
    return TokenCount.of(base * mixture.middle, base * mixture.low, high);
  }

  @Override
  public String truncate(String text, int maxTokens) {
    if (Tokenizer.maxTokens(text) <= maxTokens) {
      return text;
    }
    for (int kept = (int) (maxTokens / Mixture.of(text).high); kept > 0; kept--) {
      String prefix = BASE.truncate(text, kept);
      if (count(prefix).high() <= maxTokens) {
        return prefix;
      }
    }
    return "";
  }

  /** The factors of a text: the mean of its groups, weighted by characters and density. */
  private record Mixture(double low, double middle, double high) {

    static Mixture of(String text) {
      double weight = 0;
      double low = 0;
      double middle = 0;
      double high = 0;
      for (int i = 0; i < text.length(); ) {
        int character = text.codePointAt(i);
        i += Character.charCount(character);
        if (Character.isWhitespace(character)) {
          continue; // Part of the token of the next word.
        }
        Group group = group(character);
        weight += group.density;
        low += group.density * group.low;
        middle += group.density * group.middle;
        high += group.density * group.high;
      }
      return weight == 0
          ? new Mixture(ASCII.low, ASCII.middle, ASCII.high)
          : new Mixture(low / weight, middle / weight, high / weight);
    }
  }

  private static Group group(int character) {
    if (character < 128) {
      return character >= '0' && character <= '9' ? DIGITS : ASCII;
    }
    return switch (Character.UnicodeScript.of(character)) {
      case LATIN -> ACCENTED;
      case CYRILLIC, GREEK, ARABIC, HEBREW, ARMENIAN, GEORGIAN -> ALPHABETS;
      case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO -> CJK;
      case COMMON -> character >= 0x3000 && character < 0x10000 ? CJK : OTHERS;
      default -> OTHERS;
    };
  }
}
