package dev.abacus.topology.model.token;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.file.Pdf;
import dev.abacus.schemas.file.Sound;
import java.awt.Dimension;
import java.util.Objects;

/** The tokens of files for one model. */
final class MediaTokens {

  /** A page of A4 as it is shown. */
  private static final Dimension PAGE =
      new Dimension(Pdf.SHORTER_SIDE, (int) (Pdf.SHORTER_SIDE * Math.sqrt(2)));

  /** Pages of a PDF that is not at hand. */
  private static final int TYPICAL_PAGES = 5;

  /** Seconds of a sound that is not at hand. */
  private static final double TYPICAL_SECONDS = 60;

  /** OpenAI: a token for 100 ms. Others take from half of that to the fourfold. */
  private static final double TOKENS_PER_SECOND = 10;

  private final ImageTokens images;

  /** Counts of PDFs by their Base64, by identity: the calls about a document share it. */
  private final LoadingCache<String, Integer> pages =
      Caffeine.newBuilder().weakKeys().build(MediaTokens::pages);

  MediaTokens(ImageTokens images) {
    this.images = images;
  }

  TokenCount of(Media media) {
    Media.Kind kind = media.kind();
    return switch (media) {
      case Media.Reference _ when kind == Media.Kind.PDF -> ofPages(TYPICAL_PAGES);
      case Media.Reference _ when kind == Media.Kind.AUDIO -> ofSeconds(TYPICAL_SECONDS);
      case Media.Reference _ -> images.ofUnknownSize();
      case Media.Content file when kind == Media.Kind.PDF ->
          ofPages(Objects.requireNonNull(pages.get(file.base64())));
      case Media.Content file when kind == Media.Kind.AUDIO -> ofSeconds(Sound.seconds(file));
      case Media.Content file -> images.of(file);
    };
  }

  private TokenCount ofPages(int number) {
    return new TokenCount(
        number * images.of(PAGE),
        number * images.of(new Dimension(1, 1)),
        number * images.largest());
  }

  private static TokenCount ofSeconds(double seconds) {
    double tokens = seconds * TOKENS_PER_SECOND;
    return TokenCount.of(tokens, tokens / 2, tokens * 4);
  }

  /** One for a PDF that cannot be read: the call about it fails. */
  private static int pages(String base64) {
    try {
      return Pdf.pages(new Media.Content("application/pdf", base64).bytes());
    } catch (InvalidDocumentException e) {
      return 1;
    }
  }
}
