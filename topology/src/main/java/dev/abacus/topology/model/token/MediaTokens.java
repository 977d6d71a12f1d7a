package dev.abacus.topology.model.token;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.file.Pdf;
import java.awt.Dimension;
import java.util.Base64;
import java.util.Objects;

/** The tokens of files for one model. */
final class MediaTokens {

  /** A page of A4 as it is shown. */
  private static final Dimension PAGE =
      new Dimension(Pdf.SHORTER_SIDE, (int) (Pdf.SHORTER_SIDE * Math.sqrt(2)));

  /** Pages of a PDF that is not at hand. */
  private static final int TYPICAL_PAGES = 5;

  private final ImageTokens images;

  /** Pages by the Base64 of a PDF, by identity: the calls about a document share it. */
  private final LoadingCache<String, Integer> pages =
      Caffeine.newBuilder().weakKeys().build(MediaTokens::pages);

  MediaTokens(ImageTokens images) {
    this.images = images;
  }

  TokenCount of(Media media) {
    return switch (media) {
      case Media.Reference reference ->
          reference.kind() == Media.Kind.PDF ? ofPages(TYPICAL_PAGES) : images.ofUnknownSize();
      case Media.Content content ->
          content.kind() == Media.Kind.PDF
              ? ofPages(Objects.requireNonNull(pages.get(content.base64())))
              : images.of(content);
    };
  }

  private TokenCount ofPages(int number) {
    return new TokenCount(
        number * images.of(PAGE),
        number * images.of(new Dimension(1, 1)),
        number * images.largest());
  }

  /** One for a PDF that cannot be read: the call about it fails. */
  private static int pages(String base64) {
    try {
      return Pdf.pages(Base64.getDecoder().decode(base64));
    } catch (InvalidDocumentException e) {
      return 1;
    }
  }
}
