"""Words of people, by language: yes, no, polite words, objections, and "something else".

Written as prose, so that speakers of a language can read and correct them; `replies` compares them. No word is
in two of the tables: it would be ambiguous, and an ambiguous word is no answer.
"""

from __future__ import annotations

from collections.abc import Mapping

YES: Mapping[str, str] = {
    "en": """
        y, ye, yes, yea, yeah, yep, yup, yes it is, yes i do, aye, ok, okay, okey, k, kk, sure, sure thing,
        of course, certainly, definitely, absolutely, exactly, indeed, right, that's right, thats right, all right,
        alright, correct, that's correct, thats correct, true, that's true, agree, agreed, i agree, accept,
        accepted, approve, approved, i approve, confirm, confirmed, i confirm, allow, allow it, allow this time,
        always allow, go, go ahead, go for it, do it, do that, do so, please do, proceed, sounds good, sounds great,
        looks good, looks good to me, looks great, looks right, lgtm, works for me, fine, that's fine, fine with me,
        fine by me, good, very good, all good, great, perfect, excellent, no problem, +1
    """,
    "de": """
        ja, jo, jep, jap, jawohl, ja klar, klar, na klar, genau, stimmt, das stimmt, richtig, das ist richtig,
        korrekt, passt, passt so, das passt, gern, gerne, sicher, natürlich, selbstverständlich, einverstanden,
        in ordnung, alles klar, gut, sehr gut, perfekt, mach das, doch, bestätigt, sieht gut aus, auf jeden fall
    """,
    "fr": """
        oui, ouais, ouaip, si, d'accord, dac, bien sûr, bien sur, parfait, exact, exactement, c'est ça, c'est bon,
        c'est correct, ça marche, ca marche, ça me va, tout à fait, volontiers, avec plaisir, vas-y, allez-y,
        entendu
    """,
    "es": """
        sí, claro, claro que sí, claro que si, vale, de acuerdo, por supuesto, correcto, exacto, perfecto,
        está bien, esta bien, bien, muy bien, adelante, hazlo, así es, desde luego, cierto
    """,
    "it": """
        sì, certo, certo che sì, certamente, va bene, d'accordo, giusto, esatto, perfetto, corretto,
        assolutamente sì, procedi, per me va bene
    """,
    "pt": """
        sim, claro que sim, com certeza, exato, exatamente, perfeito, correto, tudo bem, está bem, tá bom, ta bom,
        pode ser, de acordo, concordo, combinado, isso mesmo
    """,
    "nl": """
        jawel, jazeker, zeker, natuurlijk, prima, akkoord, goed, is goed, helemaal goed, klopt, dat klopt, juist,
        in orde, doe maar, graag
    """,
    "pl": """
        tak, jasne, oczywiście, oczywiscie, zgoda, zgadza się, zgadza sie, dobrze, dobra, pewnie, w porządku,
        w porzadku, świetnie, dokładnie, potwierdzam, może być
    """,
    "ja": """
        はい, はいはい, うん, ええ, そうです, その通り, その通りです, 了解, 了解です, 了解しました, いいですよ,
        いいよ, いいね, オーケー, もちろん, もちろんです, お願いします, 正しいです, 合っています, 問題ありません,
        問題ないです, 承認, 承認します
    """,
    "zh": """
        是, 是的, 对, 对的, 对对对, 對, 對的, 好, 好的, 好吧, 行, 可以, 没问题, 沒問題, 没错, 沒錯, 不错, 不錯,
        同意, 确认, 正确, 正確, 当然, 當然, 嗯
    """,
    "emoji": """
        👍, ✅, ✔, ☑, 👌, 🆗, 💯, :+1:, :thumbsup:, :white_check_mark:, :heavy_check_mark:, :ballot_box_with_check:,
        :ok:, :ok_hand:, :100:
    """,
}
"""A message that consists of one of these is a yes."""

NO: Mapping[str, str] = {
    "en": """
        n, no, nope, nah, no way, no it isn't, no i don't, not at all, of course not, certainly not, definitely not,
        absolutely not, don't, dont, do not, please don't, i don't think so, i'd rather not, rather not, wrong,
        that's wrong, thats wrong, incorrect, that's incorrect, false, that's false, no good, not good, not ok,
        not okay, not right, that's not right, thats not right, not correct, that's not correct, not quite,
        not true, disagree, i disagree, deny, denied, reject, rejected, decline, never allow, no thanks, -1
    """,
    "de": """
        nein, nö, ne, auf keinen fall, lieber nicht, bitte nicht, falsch, das ist falsch, stimmt nicht,
        das stimmt nicht, nicht richtig, das ist nicht richtig, nicht korrekt, passt nicht, passt so nicht,
        das passt nicht, nicht gut, nicht einverstanden, natürlich nicht, sicher nicht
    """,
    "fr": """
        non, nan, pas du tout, pas d'accord, certainement pas, surtout pas, bien sûr que non, faux, c'est faux,
        pas correct, ce n'est pas ça, ce n'est pas correct
    """,
    "es": """
        claro que no, por supuesto que no, para nada, en absoluto, ni hablar, de ninguna manera, incorrecto, falso,
        no está bien, no es correcto
    """,
    "it": """
        assolutamente no, certo che no, per niente, sbagliato, errato, non va bene, non è corretto, non è giusto,
        non sono d'accordo
    """,
    "pt": """
        não, nao, claro que não, com certeza não, de jeito nenhum, de modo nenhum, errado, incorreto,
        não está certo, não concordo
    """,
    "nl": """
        nee, neen, zeker niet, natuurlijk niet, liever niet, klopt niet, dat klopt niet, fout, onjuist, niet goed,
        niet juist, niet akkoord
    """,
    "pl": """
        nie, wcale nie, oczywiście że nie, nie zgadza się, nie zgadzam się, źle, niedobrze, niepoprawnie,
        w żadnym razie
    """,
    "ja": """
        いいえ, いや, ううん, 違う, 違います, ちがいます, だめ, だめです, ダメ, ダメです, 間違っています, やめて,
        結構です, よくないです, 正しくないです, 正しくありません, 合っていません
    """,
    "zh": """
        不, 不是, 不对, 不對, 不行, 不好, 不可以, 不要, 不用, 不用了, 不同意, 不正确, 不正確, 错, 错了, 錯, 錯了,
        当然不
    """,
    "emoji": """
        👎, ❌, ✖, 🚫, ⛔, 🙅, :-1:, :thumbsdown:, :x:, :heavy_multiplication_x:, :no_entry:, :no_entry_sign:,
        :no_good:
    """,
}
"""A message that consists of one of these is a no."""

POLITE: Mapping[str, str] = {
    "en": """
        please, pls, plz, thanks, thanks a lot, many thanks, thank you, thank you very much, thx, ty, cheers, oh,
        well, hi, hey, then
    """,
    "de": """
        bitte, danke, danke schön, vielen dank, dann
    """,
    "fr": """
        s'il te plaît, s'il te plait, s'il vous plaît, s'il vous plait, stp, svp, merci, merci beaucoup, alors
    """,
    "es": """
        por favor, gracias, muchas gracias, entonces
    """,
    "it": """
        per favore, grazie, grazie mille, allora
    """,
    "pt": """
        obrigado, obrigada, muito obrigado, muito obrigada, então
    """,
    "nl": """
        alsjeblieft, alstublieft, dank je, dank je wel, dank u, dank u wel, bedankt, dan
    """,
    "pl": """
        proszę, prosze, dzięki, dzieki, dziękuję, dziekuje
    """,
    "ja": """
        ありがとう, ありがとうございます, どうも
    """,
    "zh": """
        谢谢, 謝謝, 多谢, 多謝, 请, 請
    """,
    "emoji": """
        🙂, 😊, 😀, 😃, 😄, 🙏, 🎉, 🚀, ❤, :slightly_smiling_face:, :blush:, :smile:, :smiley:, :grinning:, :pray:,
        :tada:, :rocket:, :heart:
    """,
}
"""Words that add nothing to an answer."""

OBJECTION: Mapping[str, str] = {
    "en": """
        but, except, except for, however, only, although, though, apart from, aside from, other than, unless
    """,
    "de": """
        aber, allerdings, jedoch, nur, außer, ausser, bis auf
    """,
    "fr": """
        mais, sauf, cependant, toutefois, par contre, à part
    """,
    "es": """
        pero, excepto, salvo, aunque, sin embargo
    """,
    "it": """
        ma, però, tranne, eccetto
    """,
    "pt": """
        mas, porém, exceto, embora
    """,
    "nl": """
        maar, behalve, alleen
    """,
    "pl": """
        ale, jednak, oprócz, poza tym że, tylko
    """,
    "ja": """
        でも, ただし, しかし, けど, だけど, けれど, ですが
    """,
    "zh": """
        但, 但是, 不过, 不過, 可是, 只是, 除了
    """,
}
"""Words after an answer that revoke a part of it."""

OTHERWISE = """
    something else, other, another, etwas anderes, anderes, autre, autre chose, otro, otra cosa, altro, outro,
    outra coisa, iets anders, anders, coś innego, inne, その他, 其他, 别的
"""
"""Words before a colon: the text after it is none of the options."""
