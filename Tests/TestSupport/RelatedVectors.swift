/// Numbers for the related apps, made by an independent implementation: python `cryptography` 50.0.2 for the curves, HKDF and
/// AES-GCM, `kyber-py` for ML-KEM-768, put together to X-Wing as its draft says.
package enum RelatedVectors {
    package static let ownID = "0B5F6A2C-6D0E-4B0E-9C41-5C7E3B3D1A01"
    package static let peerID = "A93E21F0-1B7C-4F7A-8D2E-90C1D2E3F405"
    package static let groupID = "5D1C7B9E-2222-4AAA-B333-0123456789AB"
    /// The items of the keychain.
    package static let items =
        #"""
        {"btmessage.identity.peerID":"MEI1RjZBMkMtNkQwRS00QjBFLTlDNDEtNUM3RTNCM0QxQTAx","btmessage.identity.\#
        xwing":"R4FPl4KeFSTHWd/35utCo3GP5WoGWsuJ1l14sKJboGGkoiybsy9H50t9zKKsgtjiBJFrBSZGlK2DCv/IFGg8aQ=="}
        """#
    /// A chat of X-Wing, a public key, an acknowledgement, a discovery, the key of a group, a message to it, and a chat of the
    /// earlier form whose text is not UTF-8.
    package static let envelopes: [String] = [
        #"""
        {"id":"00000001-0000-4000-8000-000000000000","type":1,"senderID":"A93E21F0-1B7C-4F7A-8D2E-90C1D2E3F4\#
        05","recipientID":"0B5F6A2C-6D0E-4B0E-9C41-5C7E3B3D1A01","ttl":7,"payload":"eyJtZXNzYWdlSUQiOiAibS0x\#
        IiwgImVuY3J5cHRlZE1lc3NhZ2UiOiB7ImtlbUNpcGhlcnRleHQiOiAicndISnpCS0Z1UWszYWN5RkVjSk1say9BNlNOU0J5N0Yx\#
        bzlVNDgxbzJmYzhUVFFjdTMxdFM4TGxDa0JzdWZaaVl5Qk00dVp1QWQ0dXEzdkp3ZDhvUy9RUDEva3RpQXEzOVB5ZjVVQ0FzTWF3\#
        MWp0NGo3Y1JWYzFnTGtaTWphWU1vTU80c0dDM3o2VjNSWGsxY29NbENXcDRXVDRGVkNiZGFHS29NWHJTWWZRK1VCWFJTMkhjd0lz\#
        U2k4MGIrRnZObGpoT0MycGFCVjhuakQ5T1FPaHE0OTAwWWpkUWtPVTRETnZhOWVtTXdoRTAzWm5wR1RiRVRlVWJuT3N4ZG1Kbm5N\#
        aGc3djFXc2kvdkF0dFNicVFobHpDUmFxMTBPS0hBQ2QxQ1NYeU5ZaUlsRHpCeWZLYUVZVFhPWWZwMUpadnpqMW5XeUhLNmk0T0oz\#
        cThLSGJ0cFlRK0IwTjVGNXhGTXFWVDhZOEdTbTVJdUk1QXJMMHdrTjYvN2ZKaGczQXRXTWptSEVyZm12RER5RTdoaWV4dmVCVDBV\#
        a21BTmsxR0didE9ZbVFkeFJ3VkdtaHRIMGdISFUveHFQUmpkVHdtdy9wRS82bjFmRUJZTlNMdjJuL2VRTzlvS0hteitJNXc1ZXFR\#
        ZmNFNXhuVzdGSmJmZlM1ZjB4WWdrUWlzYXdQbFZmOG1RczlMUjFVaGxPUEM1UWtLYVNDa1B6SGhvMEgxS3lOVlQyVVRjckYyOThn\#
        N0NpSlduTW9SK0VsajYvcnJiZldCekc0MTFHaURBOWRsdjBaU0taYjcyYTBDWis4Z21LVVZhQWdBTXkrVjR1dEVxS1orb1pMazZD\#
        QWU0WWVWM3pydUdJTW1ZcVpBTTNwanBnS0VaMmRSREc0L2lnbU5tTHZ1S3lRM1dkdzNzTklBZHJYNmxsZ0NFVmVpb1k5b2toWmJx\#
        OEo5eHAwaGs4SkVEVmRVNGh6M1VqK1B6T0E3RGZBck5wSlV6bGZLVnlIenlIOXZrM1JmeUxXUmlEa095Q04vRFB5UmVaVUVRTE5X\#
        c1ZuaElRUmpUQ1lGT1JUZGtFby84cmJ6L0x3UnkxUFRucFR0QVRFR3MvTUprSGhGNTdmSU8raTFEQ3luRi9mMlR0ZWNxTStwT29H\#
        M2RaYnl1ZHVhTUk3bklYN29JNG9QbWZ1Mmp1UHc2NkhCK2dyMzJkOW50UGprWjBkbnc1aGYzYU5wbEpvWWdmVS84emsyblVLVDZt\#
        VmozbnAvR3FvbmNqUVFoNDJaT1B0V1ZuOHNGaWFXUDVLdFpxVUpLYmRQWXdwYjZlU3VyVElVS2JLV0w5ZmV3N1d6STZ5SzQ2cTVH\#
        L0p4VXNZZDRpRzdhVUV2Z2hOVDdMSHcyNFZPYWQ2dmNLWnBzcjNRTDBUQllXM21FQjE0ME12SXlLZU0xTWd4ZG5JYkFmazN6bCtn\#
        Q004YVh1Ui9LbzEzWkZSczdFOUIrK1NVVlFHM0JuV1JxVFJZMy9QbU02U05jbGg0RllDeEMyS0lDTTRmaGpHUWxnem5BVDI2Nldq\#
        cGQxa096bVJOQVRqUUx6UGJseTE4YTFhUTFVQm1FTEwydHRFTUFaazBxNDVnN0M1QjF3c2NhNGZDemk1TE5BWEhpbkczNk0xNk8w\#
        QWUvYlFLMGtTaEZTY1FWQUh3bUowTVRDNmdVelViZGVHWGRIVSttQjRVT2E5R1ZYaGZySFJ0Ums0VjQ1MXdYME41MnFUcVhoOE5x\#
        b1hnNXdBOFRIZE5ZdFhvNVZUbWVtVjJMRTJLeTFYZ1JHSmp2UEVET2d0T0NOSi9TNU40NE91ZUs2cjhQSVdyaVhJNnlIYkxLT0dY\#
        cHNma2gyWSswbFkrLzBMOHJIL2lxL0crN1VQS2FpeHV2NHFqV3JvdmhCeW5yR1NPdnV2WG15TkdxZ0tKeDUyTUlZTk5WL0JuRlY2\#
        MWZMcWpQcHdGSmk3cHhRWFF5cngzMDdVSHNpVkhFdG1WVFlRPT0iLCAiYWVzQ2lwaGVydGV4dCI6ICJDcHZ6WVhyZE5TZmc3Y1NJ\#
        TkU3SU9ldm1QSTlMOFVzb0kza1I1UTUrWUtjUDM4d3FVL3RaeGR0d2M4SmNEZjBkZXc9PSJ9fQ==","timestamp":1764540001\#
        .5}
        """#,
        #"""
        {"id":"00000002-0000-4000-8000-000000000000","type":2,"senderID":"A93E21F0-1B7C-4F7A-8D2E-90C1D2E3F4\#
        05","recipientID":"*","ttl":7,"payload":"XYq7Wqeo0uZyc3FWjgI3/7e3GgY5fEEeFISsGKxJZWsRlcC2/FIWprGg4Gd\#
        Gk7txkJwlmRmLLUd9CQK54JQU0WWDXnykWDFrYcQ71oHGjwKWHEcJnhtNKQEzYGxnmTm3m5HG39IiJNeiqMiFjxIvf0o3TfM38eW\#
        0bhSnqBphcjE9jAwAeDoVmKpXHaoOOVMgVpCrT2SvBXDMP/cfxpFoqJVGzqBjeNLGEkgPwclcflCLSwFNHPNT4sx8ZWiG5Htb5lR\#
        XccoP/bYRxDseazF5TzbJHHbCJohIsAkMTjJWWpE80OGSY5c6zmdqwbuVBMaVVZlaDEERd7IsyfZQdpGlY0ZweKEgTVImETVzwkt\#
        GTvtIepUNDmELRrZ5ZjSgv9GvGGcfXUtibxQHYDcwnCYiAEtCiYVm1TmzLKgPamhgq2JMjnIwksu4ZFUASGkOsukxahw+oetl5SA\#
        7otGawURgDowITvtJX9YEuxqEZtWiTbgQ4WLNf5pLlTOQU7pyFCBV2OS4rYG2yzFkH6ujmPdd3NYvDUEvM8eIe7PKInckBPppmDS\#
        SfkDFjTNfoFAWoVtYKtHLEHcHBgyJvZKNAKpVwju5C2hbzKZbKWyDAOJWZcsq9seFsCg7wlSqEdk6cqk9Smwg/4wtXbbIwehQpLs\#
        KTpGYVVV3mjMFwvc9ZslATcsJZlfK0XFGDEIZHNeTzZigoBwFzewUdVFdXrWH+Xpim5BytWa2r0tMNCR8yIMhLiGljSpiaPpBbSn\#
        BZ1xAp9qPcyjOc4THjzp7XgO5zwCt6VKIcysUFaoEV6iJqnOb6SJhLpoo+6VJOvWszcg+QJZQrvEoFXFIvmo8noRs/0aklDgq81y\#
        0tfQwbyNAjzqzLkkFPawUkAK/XxQRZLQZXHJtNDlw/LwPzcVqhcc3Sfo/EPxpnmuehYEsLfOTJJUEt8R5sQyLkYihqHYuIEBOacS\#
        RfDakUnt3eYXA5iCusteflvQ+NmBiECGiHOx6mpzLtuY3/6bEOEQmt/LBMgvGbfiiECwrXoqpeyp6CHewxRtaUxuIpdBWbPIkVqC\#
        BHKRapCynNrmF6BbAOLt1RXui3UAhM0hHxuEpR5g8dPtLXBAZ38Cwp+dn0xAJvtWW/bcDkcahmTW3RwOSb4lDfokWBYF53VwI47P\#
        OXgJd8rQRZSc0iLYnfjpDp0bI3FtrHQgA68Mg1SiMfRdEGHBR9gd44aILxWxaqsYI57mTsok76+hd6toeUySr8TR5CRAVB8sP6ja\#
        xD8waldO2AKNJ0qU2pyp7Yzxz8Xod9JwvMzIzm4CBpqmLChRsQcW/rxWkzxdyOrsGpTJjmDltJAoHlxI5X0YavxW0eCHNdTFd5Gi\#
        t96luIsBH98wXMpYCb9QZTUe9b2enDgFFbnITUxR0ZisZLaV3wcZMYcyASNUbPPuFUWR0Q4VFKqRcgKAy9qcfJeSULfZg4kfDQLe\#
        ygBJQEHXDUUFy1pO7bysPcUmeb7ezpBAt3RJ4GqITrGjIZHxoZ+FG+AUsURbC6DVfyUcgIPAPpvRO+BivEn9LKlG89HDO2kwvE7a\#
        Y9AEfApalWSPaVGgKoloPd5COLKmnblM6BIaEfnEN4goBWtw7QZPJiqyUeZArGQ==","timestamp":1764540002.5}
        """#,
        #"""
        {"id":"00000003-0000-4000-8000-000000000000","type":3,"senderID":"A93E21F0-1B7C-4F7A-8D2E-90C1D2E3F4\#
        05","recipientID":"0B5F6A2C-6D0E-4B0E-9C41-5C7E3B3D1A01","ttl":7,"payload":"bS0x","timestamp":176454\#
        0003.5}
        """#,
        #"""
        {"id":"00000004-0000-4000-8000-000000000000","type":4,"senderID":"A93E21F0-1B7C-4F7A-8D2E-90C1D2E3F4\#
        05","recipientID":"*","ttl":7,"payload":"YW55dGhpbmc=","timestamp":1764540004.5}
        """#,
        #"""
        {"id":"00000006-0000-4000-8000-000000000000","type":6,"senderID":"A93E21F0-1B7C-4F7A-8D2E-90C1D2E3F4\#
        05","recipientID":"0B5F6A2C-6D0E-4B0E-9C41-5C7E3B3D1A01","ttl":7,"payload":"eyJncm91cElEIjogIjVEMUM3\#
        QjlFLTIyMjItNEFBQS1CMzMzLTAxMjM0NTY3ODlBQiIsICJncm91cE5hbWUiOiAiU3BhemllcmdhbmciLCAibWVtYmVySURzIjog\#
        WyIwQjVGNkEyQy02RDBFLTRCMEUtOUM0MS01QzdFM0IzRDFBMDEiLCAiQTkzRTIxRjAtMUI3Qy00RjdBLThEMkUtOTBDMUQyRTNG\#
        NDA1Il0sICJlbmNyeXB0ZWRHcm91cEtleSI6IHsia2VtQ2lwaGVydGV4dCI6ICJCK1QwVURpODRoa0Fpc3NGbllUTE5vYXlXUWE1\#
        anN4bVF0djl4YUQyWXN6REVCdFhZY3huSzNaOElOZ1dXa1BrbWVMNDM5Y2NNcEJWdWVweVR4a0FnSWh4MEMxVmZlN2F6eHB4dy90\#
        NHdvZjBrYVNnN1RQQTBHMjNQdG9JSDRNODhZWlRRTGV0QWVyRFQ2YnI3OG9BK2ZLLzRoTWVPWHFKY3F6U1dtVHRwVEpGaXJ5QVhr\#
        ZkV2Kzh2dmdNOUh3Yi9xZlVhQ0Q1SnRvc1dRdDVlZUs3eTI2THFoekxld3FMMWhXL3RPM1JxMHlUS3hjMEt5ejNEaStYdDZCQVEw\#
        cENaa3hackJoTVBtNE4zeGMzTHg4ZlRhNU80ejZQaUM1VkhKSWRWeFR0MmdQMDl5TGplbEZTMzFvWmNMT1dRRlQrZTN5MXhoVTJ2\#
        ZTNodUtPZHg4R0hET2xETmR4enB5NzQwSGtHeGRMZlkwYXd4SDRHc3B4b0pid0hnS21LSWRNR0M4eU1DMmJZVVVBMkF2cHJBNGRt\#
        MEpTb2VkR1JKVENZdkU5T1k3UnVQbWlWT1dMdVF6L0p6K0JkejRuMUx2LzFoTC9xdDJWdjFZRVlnYjBWNnFWVW5ocVdQVURIZ1BU\#
        dGhvazUzeVAzR0tJZEVtaklaVXUwbE5OcEtEL3VQQThUOVlwVGgrc0R0bExyb0g4Z21YeCtGNTRGa3FCaGhTZmZFYnNabWdIWjNS\#
        V3phZ1cwbkpiMTdvMEZyUmxHdEIxejNMSy82c1d4c3ROY1VNcGFIa0d0RGhOakJya0ZnMDRkTGlyYzhmeVNIY3RkbGNYNFU1UEZO\#
        b2YremRyNUppSkhGbGduVzJSUzRjbTNTTEl4dWlDZ1Z2OS9NSjE1VFk2SjY2d1kycyttNEF1RENtNzFWR1I1bXlJNGZlcmJaaHcy\#
        ZUR1d3FuSzgwdFFvUERSYnpuWWgwR2o3Njk1L2RTWDlmNXM5VHg0bEplZXNPTlQyYisvbDdFM2hXQlh0MkM1SDVsYW5WNlBETjhQ\#
        cHV3TE5SZGl1WEVWYzNoR1NvZ29obGtuN3FReUFmclBoWnZ0TGlpYTFxMUdrbndyeTV6MElBYktvcHVzVzd2QXJURG5JbTRPUE80\#
        MGRyTVlId25kMlN6bnA1UjZIQWFLVlN2azRZMi8xdEozNkVjYVVUamRWQXZCRWptOHI1bDhuVFprUkVIMVp6WGFLL1dqemFQcDBt\#
        UmYwa1JSSFQ4WXZmNFZaUTFQdkNmcDJOWGdDaHZOUjlWeW04bXV0NlJJTFIwN2V3QkU4OXRDdXVMSlBqeEtMWTY0cEpTQVZLSjg3\#
        OUdGM2czREExNVZXYzdVdXZvWFVRMkl2ZVdXeW81VnByRlJYTVNST2kwOG1pekx4d29scFVyQnJtVnJhL0pUQ3paTG94OUJ0ejNX\#
        UVVXME9iS2lwV2s4M0ZkNHdSbXNpc1FyWmk4eC9YdUErN3JrRFU5a2FLb2dMU1RjcjFrb2VrSHNES0JRaFlOQVo5VEEwd2Y1UWti\#
        aXJtakJlMGs4WFNHaDBFaHZWbG9BdzJqMVA5ZHBVV2xwdVllRGw3UHJNcFlqanpNWU1WSDNuV25zdEpCZVhUQTJXcmhIaTFWaXk2\#
        NjBUNW92TnZLcE5Bb1RkZ2YxcFY0ZEgwdmVrK28yeGxLUE1UUno5bWhUc0xJWmlkV2RKUTA5Q1N6c1VvblJLbmJMOWFNdk92T2Za\#
        NWpxYW85WnhDTys2OC9WVzZxVGMzTEZPWVNpdGdoV3BSVnZrbE8rOTFPeXQyMWRXejl1aU0xVHptSDQ4R0IvcGhQbllQeXBoZkpZ\#
        a01QOC9tZ1RvRW9IR056b2kwTVFGb0hmQWVDR1h0RzlDRXlMNDFXSjBNMUxyMmlnbkxVbkR2OForc3FOU1oyZkhmSkhuV0cxa0Jv\#
        K241UmQ2ODdEb3Z6Z3F3LzdVbkVJK01ucFovUzFSeUhlclpjbG9kYUE9PSIsICJhZXNDaXBoZXJ0ZXh0IjogImJZY2NuTjJ6UXcz\#
        YVBwcWh4M09GUFVJWFN0Y2FiSVh6K0J3S3Nkay8rOHJCNHYycWN3WTB3NWNtOWo2U0JvNXlDUzluZTRXaW5HMWFxTllDIn19","t\#
        imestamp":1764540006.5}
        """#,
        #"""
        {"id":"00000005-0000-4000-8000-000000000000","type":5,"senderID":"A93E21F0-1B7C-4F7A-8D2E-90C1D2E3F4\#
        05","recipientID":"5D1C7B9E-2222-4AAA-B333-0123456789AB","ttl":7,"payload":"eyJncm91cElEIjogIjVEMUM3\#
        QjlFLTIyMjItNEFBQS1CMzMzLTAxMjM0NTY3ODlBQiIsICJtZXNzYWdlSUQiOiAibS01IiwgImFlc0NpcGhlcnRleHQiOiAiMzU1\#
        cUF0TE1qMU1VaFhtRWRaZE1JbDZkalZyeVBzUE1vNXJKMVRGb3EzR2llUFk9In0=","timestamp":1764540005.5}
        """#,
        #"""
        {"id":"00000007-0000-4000-8000-000000000000","type":1,"senderID":"A93E21F0-1B7C-4F7A-8D2E-90C1D2E3F4\#
        05","recipientID":"0B5F6A2C-6D0E-4B0E-9C41-5C7E3B3D1A01","ttl":7,"payload":"eyJtZXNzYWdlSUQiOiAibS03\#
        IiwgImVuY3J5cHRlZE1lc3NhZ2UiOiB7ImVwaGVtZXJhbFB1YmxpY0tleSI6ICJWRVhaTlA1Zk5sd2s0NkhOVE5OV3R4aVVaTmJ2\#
        cU4xYXMyOUFHams0UW13PSIsICJhZXNDaXBoZXJ0ZXh0IjogIit2NE83SS91WmZYb3JQamZQWWo1Rm03aVZDZWNGdDA2UlZKeGl2\#
        azB6WDBPYkxTSlpNRnkifX0=","timestamp":1764540007.5}
        """#,
    ]
    package static let otherItems =
        #"""
        {"btmessage.identity.xwing":"4ueyKH+68v3CvyF1bnRUZR+snVWC2esA/G2OQDWdBRafXZQS+XMDlbnyP+OWaa1ZScQnHc4\#
        fMlq68XBCcyOG3Q=="}
        """#
    package static let x25519 =
        "mH9vGkPb2ggEcrz1wt2tXtUSmHjiMuKKd9+8PgV8l5I="
    package static let groupKey =
        "x8gGthJYpo510+KewG6jBC9fvhIGOqDd0Q4fb0ZofYU="
    package static let raw =
        "Ea2cbYrUuoLhBINxO+qJPnFa4clT9PvWBMolUF3zFXo="
    package static let publicKey =
        "BPEkdDuC5OUcs+S17Y/gH6lR8N8OBvLIeDJ/563kwXkmb+ZIWDoeavvvqTUb3zqIlbIyLIT58GOx9ltaFXKGNvA="
    package static let threadKey =
        "KRhmP6FE5YDCyOMHtcggvw988GIqn0GnB30CuS0Btb4="
    package static let wrapped =
        #"""
        BCVYV6zx/CQMC8kDaPwmfr9h7i3ImS5Q3mmLTltD9RI5UYa632NW7+R+UjpWCVAEbRaGpj41nLTIYNkoIa9vbBdYkiTemtqajQNI\#
        luEN6kogSpaRfo4+HaMbF1WCN6Cdtc0O7+/cdBXOcBF3gxgcV+Ma12D1EWM/UbKIAIo=
        """#
    package static let threadMessage =
        "ZBPpcm4y3yHwE3TbZ5PFAzREHAQujgUw80KFmV4q6W8TlN0xuRd6KA7afVA="
    package static let threadTitle =
        "FkCZhQx3kzkdb+oc39dBsCAxV+Ww7f7xke6RgOn+Ktbg"
    package static let threadPush =
        "n8ZaRXKlZb+goOGMO5TbsmQS9r5tjkRuWf2NBGsTic6JF3Y="
    package static let streamKey =
        "6fcpam59v3rF9q2y7rAeigPTBD1VofX6hEsTeGLzWK4="
    package static let jwk =
        #"""
        {"kty":"EC","crv":"P-256","d":"Ea2cbYrUuoLhBINxO-qJPnFa4clT9PvWBMolUF3zFXo","x":"8SR0O4Lk5Ryz5LXtj-A\#
        fqVHw3w4G8sh4Mn_nreTBeSY","y":"b-ZIWDoeavvvqTUb3zqIlbIyLIT58GOx9ltaFXKGNvA"}
        """#
    package static let frames = [
        "+4NhovVwQr8mrxOrbH8wJ12Ls3pf5ZX2n/EtARufdcflBLm6ikDVLC5thp2oWw==",
        "gDGqUWrIHfKVkVL6BQ9tFQwOUnpK+4t5zJ07VQlnnB4HIu5elt2BkBw5/xbKP3m9AKm8CjXeWLG9txdQ4b8=",
    ]
    package static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEa2cbYrUuoLhBINx
        O+qJPnFa4clT9PvWBMolUF3zFXqhRANCAATxJHQ7guTlHLPkte2P4B+pUfDfDgby
        yHgyf+et5MF5Jm/mSFg6Hmr776k1G986iJWyMiyE+fBjsfZbWhVyhjbw
        -----END PRIVATE KEY-----
        """
    package static let sec1 = """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIBGtnG2K1LqC4QSDcTvqiT5xWuHJU/T71gTKJVBd8xV6oAoGCCqGSM49
        AwEHoUQDQgAE8SR0O4Lk5Ryz5LXtj+AfqVHw3w4G8sh4Mn/nreTBeSZv5khYOh5q
        +++pNRvfOoiVsjIshPnwY7H2W1oVcoY28A==
        -----END EC PRIVATE KEY-----
        """
    package static let encpem = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIH0MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBAGCRhTEMXpXj4LAbSm
        beAhAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQNmoenabwgWG/e5E5
        F56XGgSBkHWf+OBBD7Rz4R/Z9/LeZ+5nfQg/BOrwhz/JmznVnuKXUm/TYcso4Lkc
        sGYXrkI0HlLLOCuNL+F/QWpTdx9oVUpNUtjDzM1fdcTss6VspMhquQUjy121dQSe
        Zk3LR54vKJjBOK/PJm60qITbjLyPeUiEoCQ+3dgSj2klKjPr/vADk/O02ZOoi1vS
        9N4nKP5BkQ==
        -----END ENCRYPTED PRIVATE KEY-----
        """
}
