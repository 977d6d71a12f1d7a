package dev.abacus.deploy.simulator.tokens;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.IntArrayList;
import dev.abacus.deploy.simulator.skill.KeyedRandom;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts tokens with the encoding of GPT-4o (o200k) for all models. It caches the counts of long
 * texts, because the operators that are compared send the same document many times.
 */
public final class Tokenizer {

  private static final int REMEMBERED_LENGTH = 2000;
  private static final int REMEMBERED_TEXTS = 20_000;

  private final Map<Long, Integer> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
          return size() > REMEMBERED_TEXTS;
        }
      };

  /** One per process: the encoding is immutable and takes tens of megabytes. */
  private static final class Shared {
    static final Encoding ENCODING =
        Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
  }

  /** Number of tokens of a text. */
  public int count(String text) {
    if (text.length() < REMEMBERED_LENGTH) {
      return Shared.ENCODING.countTokensOrdinary(text);
    }
    long key = KeyedRandom.hash(text);
    synchronized (counts) {
      Integer known = counts.get(key);
      if (known != null) {
        return known;
      }
    }
    int count = Shared.ENCODING.countTokensOrdinary(text);
    synchronized (counts) {
      counts.put(key, count);
    }
    return count;
  }

  /** The bytes of each token of a text; several tokens may share a non-ASCII character. */
  public List<byte[]> tokens(String text) {
    IntArrayList ids = Shared.ENCODING.encodeOrdinary(text);
    List<byte[]> tokens = new ArrayList<>(ids.size());
    for (int i = 0; i < ids.size(); i++) {
      IntArrayList one = new IntArrayList(1);
      one.add(ids.get(i));
      tokens.add(Shared.ENCODING.decodeBytes(one));
    }
    return tokens;
  }

  /** The beginning of a text, at most {@code limit} tokens long. */
  public String truncate(String text, int limit) {
    StringBuilder out = new StringBuilder();
    List<byte[]> tokens = tokens(text);
    for (byte[] token : tokens.subList(0, Math.min(limit, tokens.size()))) {
      out.append(new String(token, StandardCharsets.UTF_8));
    }
    return out.toString();
  }
}
