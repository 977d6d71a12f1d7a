package dev.abacus.schemas.redaction;

import com.google.i18n.phonenumbers.PhoneNumberMatch;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.Leniency;
import dev.abacus.schemas.input.Keyword;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.validator.routines.CreditCardValidator;
import org.apache.commons.validator.routines.CreditCardValidator.CreditCardRange;
import org.apache.commons.validator.routines.IBANValidator;
import org.jspecify.annotations.Nullable;

/**
 * A kind of personal data. If values of two kinds overlap in a text, the kind that stands first
 * here counts.
 */
public enum PersonalData implements Keyword {

  /** An address {@code local@domain.tld}. */
  EMAIL {
    @Override
    List<Span> find(String text, List<String> regions) {
      return ADDRESS.matcher(text).results().map(Span::of).toList();
    }
  },

  /**
   * An international bank account number (ISO 13616) of a known country, with its length and valid
   * check digits.
   */
  IBAN {
    @Override
    List<Span> find(String text, List<String> regions) {
      List<Span> found = new ArrayList<>();
      Matcher start = COUNTRY.matcher(text);
      int from = 0;
      while (start.find(from)) {
        Span account = account(text, start.start());
        from = account == null ? start.start() + 1 : account.end();
        if (account != null) {
          found.add(account);
        }
      }
      return found;
    }
  },

  /**
   * The number of a payment card: 12 to 19 digits, alone or in groups, with a first digit of the
   * payment networks (ISO/IEC 7812) and a valid check digit (Luhn).
   */
  CARD {
    @Override
    List<Span> find(String text, List<String> regions) {
      List<Span> found = new ArrayList<>();
      Matcher run = DIGITS.matcher(text);
      while (run.find()) {
        addCards(text, groups(text, run), found);
      }
      return found;
    }
  },

  /**
   * A valid telephone number: with {@code +} and its country, or as written in one of the regions.
   */
  PHONE {
    @Override
    List<Span> find(String text, List<String> regions) {
      List<Span> found = new ArrayList<>();
      for (String region : regions.isEmpty() ? List.of(NO_REGION) : regions) {
        for (PhoneNumberMatch match :
            PhoneNumberUtil.getInstance()
                .findNumbers(text, region, Leniency.VALID, Long.MAX_VALUE)) {
          found.add(new Span(match.start(), match.end()));
        }
      }
      return found;
    }
  };

  /** The characters {@code [start, end)} of a text. */
  record Span(int start, int end) {
    static Span of(MatchResult match) {
      return new Span(match.start(), match.end());
    }
  }

  /** Numbers with {@code +} only. */
  private static final String NO_REGION = "ZZ";

  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?<![\\p{L}\\p{N}._%+-]|[\\p{L}\\p{N}]')"
              + "(?:[\\p{L}\\p{N}._%+-]|(?<=[\\p{L}\\p{N}])'(?=[\\p{L}\\p{N}]))++"
              + "@(?:[\\p{L}\\p{N}][\\p{L}\\p{N}-]*+\\.)+\\p{L}[\\p{L}\\p{N}-]*[\\p{L}\\p{N}]");

  private static final Pattern COUNTRY =
      Pattern.compile("(?:(?<![\\p{L}\\p{N}])|(?<=IBAN))[A-Za-z]{2}[0-9]{2}");

  /** Between the groups of a number. */
  private static final String GAP = " \u00A0\u202F-";

  private static final Pattern DIGITS =
      Pattern.compile("(?<![0-9])[0-9]++(?:[ \\u00A0\\u202F-][0-9]++)*+");

  private static final String FIRST_DIGITS = "23456";
  private static final int LEAST_DIGITS = 12;
  private static final int MOST_DIGITS = 19;

  private static final CreditCardValidator CARDS =
      new CreditCardValidator(
          new CreditCardRange[] {
            new CreditCardRange("3", "3", 14, MOST_DIGITS), // Diners Club, American Express, JCB
            new CreditCardRange("4", "4", 13, MOST_DIGITS), // Visa
            new CreditCardRange("5", "6", LEAST_DIGITS, MOST_DIGITS), // Mastercard, Maestro, others
            new CreditCardRange("2221", "2720", 16, 16) // Mastercard
          });

  /** The values of this kind in a text; telephone numbers that two regions have twice. */
  abstract List<Span> find(String text, List<String> regions);

  /** The account that begins at a position; null if there is none. */
  private static @Nullable Span account(String text, int start) {
    String country = text.substring(start, start + 2).toUpperCase(Locale.ROOT);
    IBANValidator.Validator format = IBANValidator.getInstance().getValidator(country);
    StringBuilder number = new StringBuilder();
    int end = start;
    while (format != null && end < text.length() && number.length() < format.getIbanLength()) {
      char next = text.charAt(end);
      if (isLetterOrDigit(next)) {
        number.append(next);
      } else if (GAP.indexOf(next) < 0 || GAP.indexOf(text.charAt(end - 1)) >= 0) {
        break;
      }
      end++;
    }
    return IBANValidator.getInstance().isValid(number.toString().toUpperCase(Locale.ROOT))
        ? new Span(start, end)
        : null;
  }

  private static boolean isLetterOrDigit(char letter) {
    return (letter >= '0' && letter <= '9')
        || (letter >= 'A' && letter <= 'Z')
        || (letter >= 'a' && letter <= 'z');
  }

  private static List<Span> groups(String text, Matcher run) {
    List<Span> groups = new ArrayList<>();
    int start = run.start();
    for (int i = run.start(); i <= run.end(); i++) {
      if (i == run.end() || GAP.indexOf(text.charAt(i)) >= 0) {
        groups.add(new Span(start, i));
        start = i + 1;
      }
    }
    return groups;
  }

  /** Adds the longest card at each group; a number may stand before or behind a card. */
  private static void addCards(String text, List<Span> groups, List<Span> found) {
    int first = 0;
    while (first < groups.size()) {
      int behind = behindCard(text, groups, first);
      if (behind > first) {
        found.add(new Span(groups.get(first).start(), groups.get(behind - 1).end()));
      }
      first = Math.max(first + 1, behind);
    }
  }

  /** The group behind the longest card that begins with a group; the group itself if none does. */
  private static int behindCard(String text, List<Span> groups, int first) {
    int behind = first;
    if (FIRST_DIGITS.indexOf(text.charAt(groups.get(first).start())) >= 0) {
      StringBuilder digits = new StringBuilder();
      for (int i = first; i < groups.size() && digits.length() <= MOST_DIGITS; i++) {
        digits.append(text, groups.get(i).start(), groups.get(i).end());
        boolean valid = digits.length() >= LEAST_DIGITS && CARDS.isValid(digits.toString());
        behind = valid ? i + 1 : behind;
      }
    }
    return behind;
  }
}
